"""Makes the training pairs: RealMem's five personas, conversations written from the frames, and documentation of npm packages.

usage: make_data.py --realmem realmem-five.json --docs DIRECTORY --out pairs.json.gz
"""
import argparse, gzip, json, math, random, re
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).parent
LIMIT = 1400  # characters; 256 word pieces are about 1,100


def read_frames(name):
    slots, topics = {}, []
    for line in (HERE / name).read_text().splitlines():
        if line.startswith('slot '):
            key, values = line[5:].split(':', 1)
            slots[key] = [value.strip() for value in values.split(', ')]
        elif line.startswith('topic '):
            topics.append({'name': line[6:], 'Q': [], 'S': []})
        elif line[:2] in ('Q ', 'S '):
            topics[-1][line[0]] = [part.strip() for part in line[2:].split(' | ')]
    return slots, topics


def fill(text, values, slots, rng):
    def value(match):
        key = match.group(1)
        if key not in values:
            values[key] = rng.choice(slots[key])
        return values[key]
    text = re.sub(r'\{(\w+)\}', value, text)
    return text[:1].upper() + text[1:] if text[:1].islower() and text.split(' ')[0] in ('a', 'the', 'an') else text


def roughen(text, rng):
    """A quarter of the turns is written carelessly."""
    if rng.random() > 0.25:
        return text
    text = text.lower() if rng.random() < 0.7 else text
    for word, short in (('you', 'u'), ('because', 'cuz'), ('going to', 'gonna'), ('really', 'rly'), ('thanks', 'thx'), ('people', 'ppl'), ("i'm", 'im'), ("can't", 'cant')):
        if rng.random() < 0.5:
            text = re.sub(rf'\b{word}\b', short, text)
    if rng.random() < 0.5:
        text = text.rstrip('.!')
    if rng.random() < 0.3:
        text += rng.choice([' lol', ' haha', ' :)', ' !!', ' 😅', ' 🎉', ' ugh', '...'])
    return text


def conversations(rng, count):
    """Talks of two friends: (question, turn) with the talk as the group, so that negatives come from the same talk."""
    slots, topics = read_frames('frames-life.txt')
    talk = (HERE / 'small-talk.txt').read_text().splitlines()
    names = (HERE / 'names.txt').read_text().split()
    for number in range(count):
        pair = rng.sample(names, 2)
        pairs, fillers = [], []
        for speaker, other in (pair, pair[::-1]):
            for topic in rng.sample(topics, rng.randint(24, 40)):
                values = {'A': speaker, 'B': other}
                statements = rng.sample(topic['S'], rng.choice([1, 1, 1, 2]))
                parts = [fill(text, values, slots, rng) for text in statements]
                if rng.random() < 0.35:
                    parts.insert(rng.choice([0, len(parts)]), fill(rng.choice(talk), {'B': other}, slots, rng))
                text = f'{speaker}: ' + roughen(' '.join(parts), rng)
                question = fill(rng.choice(topic['Q']), values, slots, rng)
                if rng.random() < 0.1:
                    question = question.rstrip('?').lower()
                pairs.append((question, text))
            fillers += [f'{speaker}: ' + roughen(fill(text, {'B': other}, slots, rng), rng) for text in rng.sample(talk, 12)]
        yield {'group': f'life-{number}', 'pairs': pairs, 'fillers': fillers}


def assistant_talks(rng, count, paragraphs):
    slots, topics = read_frames('frames-assistant.txt')
    openers = ['Hi!', 'Thanks, that helps.', 'Quick question.', 'Okay, next one.', 'I have been thinking about this for a while.', 'Hello again,', 'So,', '']
    asks = ['Could you help me with that?', 'What would you suggest?', 'Please give me an overview.', 'How do I start?', 'Is that a good idea?', '']
    for number in range(count):
        user = rng.choice(['user', 'User', 'Human', ''])
        prefix = f'{user}: ' if user else ''
        pairs, fillers = [], []
        for topic in rng.sample(topics, len(topics)):
            values = {}
            statement = fill(rng.choice(topic['S']), values, slots, rng)
            parts = [rng.choice(openers), statement, rng.choice(asks)]
            if rng.random() < 0.35:
                parts.insert(rng.choice([1, 2]), rng.choice(paragraphs)[: rng.randint(100, 600)])
            question = fill(rng.choice(topic['Q']), values, slots, rng)
            if rng.random() < 0.2:
                question = rng.choice(['Can you remind me? ', 'I forgot: ', 'Earlier I told you something. ']) + question
            pairs.append((question, prefix + ' '.join(part for part in parts if part)))
            fillers.append(('assistant: ' if user == 'user' else 'Assistant: ') + rng.choice(paragraphs)[:LIMIT])
        yield {'group': f'assistant-{number}', 'pairs': pairs, 'fillers': fillers}


def words(text):
    return [word for word in re.findall(r"[a-z0-9']+", text.lower()) if len(word) > 2]


def realmem(path, rng):
    """Per persona: query with the best turn of an evidence session, a turn with its reply, a sentence with the rest."""
    for conversation in json.loads(Path(path).read_text())['conversations']:
        turns = conversation['turns']
        bags = [Counter(words(turn['text'])) for turn in turns]
        df = Counter(word for bag in bags for word in bag)
        idf = {word: math.log(1 + len(turns) / count) for word, count in df.items()}
        order = list(dict.fromkeys(turn['session'] for turn in turns))
        by_session = defaultdict(list)
        for place, turn in enumerate(turns):
            by_session[turn['session']].append(place)

        def score(query, place):
            bag = bags[place]
            length = 0.6 + 0.4 * sum(bag.values()) / 120
            return sum(idf.get(word, 0) * bag[word] / (bag[word] + length) for word in set(query))

        queries = []
        for question in conversation['questions']:
            asked = words(question['text'])
            known = set(order[: question['sessions_before']])
            evidence = set(question['evidence']) & known
            others = [place for session in known - evidence for place in by_session[session]]
            hard = sorted(others, key=lambda place: -score(asked, place))[2:12]
            for session in evidence:
                best = sorted(by_session[session], key=lambda place: -score(asked, place))[:3]
                for place in best[:2]:
                    negative = turns[rng.choice(hard)]['text'][:LIMIT] if hard else None
                    queries.append((question['text'][:LIMIT], turns[place]['text'][:LIMIT], negative))
        replies, rests = [], []
        for before, after in zip(turns, turns[1:]):
            if before['session'] == after['session']:
                replies.append((strip(before['text'])[:LIMIT], after['text'][:LIMIT]))
        for turn in turns:
            pair = cut_sentence(strip(turn['text'])[:2500], rng)
            if pair:
                rests.append((pair[0], turn['text'].split(':')[0] + ': ' + pair[1]))
        yield {'persona': conversation['id'], 'queries': queries, 'replies': replies, 'rests': rests}


def strip(text):
    return re.sub(r'^\w+: ', '', text)


def cut_sentence(text, rng):
    """(a sentence, the text without it), or None if the text is too short."""
    sentences = [part.strip() for part in re.split(r'(?<=[.!?])\s+|\n+', text) if len(part.strip()) > 25]
    if len(sentences) < 3:
        return None
    chosen = rng.randrange(len(sentences))
    return sentences[chosen][:400], ' '.join(sentences[:chosen] + sentences[chosen + 1 :])[:LIMIT]


def documentation(folder, rng, most):
    """(heading or sentence, the section) and the paragraphs, from Markdown of MIT, ISC, BSD and Apache-2.0 packages."""
    pairs, paragraphs, seen = [], [], set()
    files = sorted(Path(folder).rglob('*.md')) + sorted(Path(folder).rglob('*.mdx'))
    for file in files:
        text = re.sub(r'```.*?```', ' ', file.read_text(errors='ignore'), flags=re.S)
        text = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', text)
        text = re.sub(r'<[^>]+>|\|', ' ', text)
        for section in re.split(r'\n(?=#+ )', text):
            lines = section.strip().split('\n', 1)
            if len(lines) < 2:
                continue
            heading = lines[0].lstrip('# ').strip()
            body = re.sub(r'\s+', ' ', lines[1]).strip()
            if len(body) < 120 or body[:200] in seen or sum(c.isalpha() or c == ' ' for c in body) < 0.8 * len(body):
                continue
            seen.add(body[:200])
            paragraphs.append(body[:LIMIT])
            pair = cut_sentence(body, rng)
            if pair:
                pairs.append(pair)
            if 12 < len(heading) < 120:
                pairs.append((heading, body[:LIMIT]))
    rng.shuffle(pairs)
    return pairs[:most], paragraphs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--realmem', required=True)
    parser.add_argument('--docs', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    docs, paragraphs = documentation(options.docs, rng, 20000)
    personas = list(realmem(options.realmem, rng))
    data = {
        'life': list(conversations(rng, 300)),
        'assistant': list(assistant_talks(rng, 500, paragraphs)),
        'realmem': personas,
        'docs': docs,
    }
    with gzip.open(options.out, 'wt') as file:
        json.dump(data, file)
    print({key: len(value) for key, value in data.items()}, len(paragraphs), sum(len(g['pairs']) for g in data['life']), sum(len(g['pairs']) for g in data['assistant']))
    for persona in personas:
        print(persona['persona'], len(persona['queries']), len(persona['replies']), len(persona['rests']))
    for group in data['life'][:2]:
        for pair in group['pairs'][:8]:
            print('   ', pair)
    for pair in data['assistant'][0]['pairs'][:5]:
        print('   ', pair)
    for pair in docs[:5]:
        print('   ', pair)


main()
