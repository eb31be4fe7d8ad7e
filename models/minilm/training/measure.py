"""Cosine alone: the share of the evidence among the first ten, on conversations of three sets."""
import gzip, json, math
import torch
from encoder import embed


def load(path):
    with gzip.open(path, 'rt') as file:
        return json.load(file)


def measure(model, texts, sets):
    """-> {set: (R@10, nDCG@10, per conversation R@10)}"""
    results = {}
    for name, conversations in sets.items():
        per = []
        for conversation in conversations:
            turns, questions = conversation['turns'], conversation['questions']
            passages = embed(model, texts, [turn['text'] for turn in turns])
            queries = embed(model, texts, [question['text'] for question in questions])
            per.append(score(queries @ passages.T, conversation))
        count = sum(n for n, _, _ in per)
        results[name] = (sum(r for _, r, _ in per) / count * 100, sum(g for _, _, g in per) / count * 100, [round(r / n * 100, 1) for n, r, _ in per])
    return results


def score(similarity, conversation):
    turns, questions = conversation['turns'], conversation['questions']
    sessions = [turn['session'] for turn in turns]
    order = list(dict.fromkeys(sessions))
    recall = gain = 0.0
    ranked = similarity.argsort(1, descending=True).tolist()
    for question, ranking in zip(questions, ranked):
        wanted = set(question['evidence'])
        if conversation['evidence_of'] == 'session':
            known = set(order[: question['sessions_before']])
            found = list(dict.fromkeys(sessions[place] for place in ranking if sessions[place] in known))[:10]
        else:
            found = [turns[place]['id'] for place in ranking[:10]]
        hits = [1 if item in wanted else 0 for item in found]
        recall += sum(hits) / len(wanted)
        ideal = sum(1 / math.log2(place + 2) for place in range(min(len(wanted), 10)))
        gain += sum(hit / math.log2(place + 2) for place, hit in enumerate(hits)) / ideal
    return len(questions), recall, gain
