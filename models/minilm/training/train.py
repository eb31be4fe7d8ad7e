"""Trains the encoder on pairs. One call tries several recipes and prints what each finds by cosine alone."""
import argparse, copy, gzip, json, math, os, random, time
import torch
import torch.nn.functional as F
from encoder import Encoder, Texts, embed
from measure import load, measure

DEFAULTS = dict(sources={'queries': 1, 'replies': 1, 'rests': 1}, rate=5e-5, passes=1.0, keep=0.5, temperature=0.05, batch=192, late=0.0, late_temperature=0.02, late_cosine=0.0, pairs=1.0, reverse=0.0, personas='dev', seed=1, limit=256)
TRAIN = ['Adeleke_Okonjo', 'Kenta_Tanaka', 'Kim_Ji_young']


class Pairs:
    """Batches of (question, passage, other passages of the same talk)."""
    def __init__(self, data, recipe):
        self.rng = random.Random(recipe['seed'])
        self.size = recipe['batch']
        chosen = [p for p in data['realmem'] if recipe['personas'] == 'all' or p['persona'] in TRAIN]
        self.pools = {}
        for kind in ('queries', 'replies', 'rests'):
            self.pools[kind] = [[tuple(pair) for pair in persona[kind] if pair[0] and pair[1]] for persona in chosen]
        self.pools['docs'] = [[tuple(pair) for pair in data['docs'] if pair[0] and pair[1]]]
        for kind in ('life', 'assistant'):
            self.pools[kind] = [[tuple(pair) for pair in group['pairs']] for group in data[kind]]
        self.fillers = {kind: [[text for text in group['fillers'] if text] for group in data[kind]] for kind in ('life', 'assistant')}

    def texts(self, sources):
        return [text for kind in sources for pool in self.pools[kind] for pair in pool for text in pair if text] + [
            text for kind in sources if kind in self.fillers for group in self.fillers[kind] for text in group]

    def steps(self, sources):
        return {kind: weight * sum(map(len, self.pools[kind])) / self.size for kind, weight in sources.items()}

    def batch(self, kind):
        pools, rng = self.pools[kind], self.rng
        if kind in self.fillers:
            places = rng.sample(range(len(pools)), 4 if kind == 'life' else 9)
            pairs = [pair for place in places for pair in pools[place]]
            rng.shuffle(pairs)
            others = [text for place in places for text in rng.sample(self.fillers[kind][place], min(12, len(self.fillers[kind][place])))]
            pairs = pairs[: self.size]
        else:
            pool = rng.choices(pools, [len(pool) for pool in pools])[0]
            pairs = rng.sample(pool, min(len(pool), self.size))
            others = [pair[2] for pair in pairs if len(pair) > 2 and pair[2]]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs], others[:160]


class Late:
    """Teacher: late interaction of the original model's own token vectors. Each word piece of the question counts as much as
    it is rare among the candidates, and is compared with the closest piece of a candidate."""
    def __init__(self, base, texts):
        self.base, self.texts = base, texts

    @torch.no_grad()
    def tokens(self, source):
        ids, mask = self.texts.batch(source)
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=ids.is_cuda):
            hidden = self.base.hidden(ids, mask)
        return ids, mask, F.normalize(hidden.float(), dim=-1).to(torch.bfloat16) * mask[:, :, None]

    @torch.no_grad()
    def scores(self, questions, candidates):
        ids, mask, q = self.tokens(questions)
        found, _, p = self.tokens(candidates)
        seen = torch.zeros(len(candidates), 30522, device=ids.device).scatter_(1, found, 1.0).sum(0)
        weight = torch.log(1 + len(candidates) / (1 + seen))
        weight[:999] = 0
        weight[seen > 0.1 * len(candidates)] = 0
        weight = (weight[ids] + 0.5) * mask
        flat = q.reshape(-1, q.shape[-1])
        columns = []
        for start in range(0, len(candidates), 16):
            part = p[start : start + 16]
            best = torch.einsum('td,pld->ptl', flat, part).amax(2)
            columns.append((best.view(len(part), *ids.shape).float() * weight).sum(2).T)
        return torch.cat(columns, 1) / weight.sum(1, keepdim=True)


def train(base, data, texts, recipe, log):
    pairs = Pairs(data, recipe)
    sources = recipe['sources']
    source = list(dict.fromkeys(pairs.texts(sources)))
    texts.add(source)
    original = embed(base, texts, source)
    place = {text: i for i, text in enumerate(source)}
    late = Late(base, texts)
    torch.manual_seed(recipe['seed'])
    model = copy.deepcopy(base).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe['rate'], weight_decay=0.01)
    plan = [kind for kind, count in pairs.steps(sources).items() for _ in range(max(1, round(count * recipe['passes'])))]
    pairs.rng.shuffle(plan)
    began = time.time()
    losses = []
    for step, kind in enumerate(plan):
        progress = step / len(plan)
        for group in optimizer.param_groups:
            group['lr'] = recipe['rate'] * min(1, (step + 1) / (0.1 * len(plan))) * (1 - progress)
        questions, passages, others = pairs.batch(kind)
        candidates = passages + others
        with torch.autocast('cuda' if texts.device != 'cpu' else 'cpu', torch.bfloat16, enabled=texts.device != 'cpu'):
            q, p = model(*texts.batch(questions)), model(*texts.batch(candidates))
        similarity = q @ p.T
        target = torch.arange(len(questions), device=q.device)
        names = {}
        same = torch.tensor([names.setdefault(text, len(names)) for text in candidates], device=q.device)
        asked = {}
        same_question = torch.tensor([asked.setdefault(text, len(asked)) for text in questions], device=q.device)
        equal = same[: len(questions), None] == same[None, :]
        equal[:, : len(questions)] |= same_question[:, None] == same_question[None, :]
        equal[target, target] = False
        logits = (similarity / recipe['temperature']).masked_fill(equal, -1e4)
        loss = recipe['pairs'] * F.cross_entropy(logits, target)
        if recipe['reverse'] > 0:
            loss = loss + recipe['reverse'] * F.cross_entropy(logits[:, : len(questions)].T, target)
        q0 = original[[place[text] for text in questions]]
        p0 = original[[place[text] for text in candidates]]
        loss = loss + recipe['keep'] * ((q - q0).square().sum(1).mean() + (p - p0).square().sum(1).mean())
        if recipe['late'] > 0:
            teacher = ((late.scores(questions, candidates) + recipe['late_cosine'] * q0 @ p0.T) / recipe['late_temperature']).softmax(1)
            loss = loss + recipe['late'] * F.kl_div((similarity / recipe['temperature']).log_softmax(1), teacher, reduction='batchmean')
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    log(f'  {len(plan)} steps, {time.time() - began:.0f} s, loss {sum(losses[:10]) / 10:.2f} -> {sum(losses[-10:]) / 10:.2f}')
    return model.eval()


def soup(base, model, share):
    mixed = copy.deepcopy(model)
    with torch.no_grad():
        for mine, old in zip(mixed.parameters(), base.parameters()):
            mine.copy_(share * mine + (1 - share) * old)
    return mixed


def average(models):
    with torch.no_grad():
        for parts in zip(*(model.parameters() for model in models)):
            parts[0].copy_(torch.stack(parts).mean(0))
    return models[0]


def line(name, results):
    cells = [f'{key} {r:.1f}/{g:.1f} {per}' for key, (r, g, per) in results.items()]
    return f'{name:34s} ' + '  '.join(cells)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--carry', default='carry')
    parser.add_argument('--recipes', required=True)
    parser.add_argument('--out', default=os.environ.get('OUT', 'work'))
    parser.add_argument('--seconds', type=float, default=520)
    options = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    began = time.time()
    with gzip.open(f'{options.carry}/pairs.json.gz', 'rt') as file:
        data = json.load(file)
    sets = load(f'{options.carry}/sets.json.gz')
    heldout = dict(sets, realmem=[c for c in sets['realmem'] if c['id'] not in TRAIN])
    texts = Texts(f'{options.carry}/tokenizer.json', 256, device)
    base = Encoder(f'{options.carry}/model.fp16.safetensors').to(device).eval()
    log = open(f'{options.out}/log.txt', 'a')
    def say(text):
        print(text, flush=True)
        log.write(text + '\n'); log.flush()
    say(line('MiniLM', measure(base, texts, heldout)))
    say(f'{time.time() - began:.0f} s')
    for recipe in json.load(open(options.recipes)):
        if time.time() - began > options.seconds:
            say('out of time'); break
        settings = dict(DEFAULTS, **recipe)
        model = average([train(base, data, texts, dict(settings, seed=seed), say) for seed in recipe.get('seeds', [settings['seed']])])
        say(line(recipe['name'], measure(model, texts, heldout)))
        for share in recipe.get('soups', []):
            say(line(f'   soup {share}', measure(soup(base, model, share), texts, heldout)))
        if recipe.get('save'):
            final = soup(base, model, recipe['save']) if recipe['save'] != 1 else model
            path = f'/tmp/{recipe["name"]}.safetensors'
            final.save(path)
            blob = open(path, 'rb').read()
            for part in range(0, len(blob), 15_500_000):
                open(f'{options.out}/{recipe["name"]}.part{part // 15_500_000}', 'wb').write(blob[part : part + 15_500_000])
        say(f'{time.time() - began:.0f} s')


if __name__ == '__main__':
    main()
