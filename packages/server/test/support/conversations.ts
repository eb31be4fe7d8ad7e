import { customKind } from '../../src/engine/memories/kinds.js';
import type { NewMemory } from '../../src/engine/memories/new-memory.js';

/** Small talk that is the same on every run, with vectors that are close for texts that share words. */

const dimension = 384;
const speakers = ['Anna', 'Ben', 'Carla', 'David'];
const topics = [
  'garden tomato watering shade compost seedling',
  'guitar practice concert chord rehearsal melody',
  'marathon training shoe stretch pace recovery',
  'budget invoice supplier contract payment quarter',
  'kitchen recipe pasta basil oven simmer',
  'holiday island ferry harbour hotel sunrise',
  'puppy leash vet biscuit kennel walk',
  'thesis chapter library citation draft supervisor',
  'bicycle chain brake saddle puncture pump',
  'painting canvas brush portrait gallery sketch',
].map((words) => words.split(' '));
const fillers = 'yesterday really maybe again together finally quite nearly almost something somebody everything'.split(
  ' ',
);

/** The Mulberry32 generator. */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const wordVectors = new Map<string, Float32Array>();

function wordVector(word: string): Float32Array {
  let vector = wordVectors.get(word);
  if (vector === undefined) {
    const random = randomNumbers([...word].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7));
    vector = Float32Array.from({ length: dimension }, () => random() + random() + random() - 1.5);
    wordVectors.set(word, vector);
  }
  return vector;
}

/** Returns a vector of unit length: the normalized sum of the word vectors. */
export function vectorOf(text: string): number[] {
  const sum = new Float64Array(dimension);
  for (const word of text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []) {
    const vector = wordVector(word);
    for (let index = 0; index < dimension; index++) sum[index] = (sum[index] as number) + (vector[index] as number);
  }
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0));
  return Array.from(sum, (value) => value / length);
}

export function turnOf(content: string, rest: Partial<NewMemory> = {}): NewMemory {
  return { content, kind: customKind('turn'), embedding: vectorOf(content), ...rest };
}

const perSession = 25;

export function conversationTurn(number: number): NewMemory {
  const random = randomNumbers(number);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const session = Math.floor(number / perSession);
  const topic = topics[(session * 7 + Math.floor(random() * 1.5)) % topics.length] ?? [];
  const words = [pick(topic), pick(fillers), pick(topic), pick(fillers), `n${Math.floor(random() * 900)}`, pick(topic)];
  const content = `${pick(speakers)}: ${words.join(' ')}${random() < 0.2 ? '?' : '.'}`;
  return turnOf(content, {
    kind: customKind(number % 10 === 0 ? 'note' : 'turn'),
    sessionId: `s${session}`,
    occurredAt: new Date(Date.UTC(2023, 0, 1) + number * 3_600_000),
    tags: [number % 2 === 0 ? 'even' : 'odd', ...(number % 50 === 0 ? ['seldom'] : [])],
    agentId: `agent-${number % 3}`,
    source: number % 4 === 0 ? 'mail' : 'chat',
    metadata: { group: number % 5 },
  });
}

export function conversationQuestion(number: number): string {
  const random = randomNumbers(1_000_000 + number);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const topic = pick(topics);
  const when = number % 4 === 0 ? ` in ${pick(['January', 'February', 'March'])} 2023` : '';
  return `What did ${pick(speakers)} say about the ${pick(topic)} and ${pick(topic)} n${Math.floor(random() * 900)}${when}?`;
}
