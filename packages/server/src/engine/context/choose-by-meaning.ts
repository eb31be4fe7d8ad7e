import type { Embedder } from '../../ports/embedder.js';
import type { Engine } from '../engine.js';
import type { Routing } from './route-project.js';

/** The best project must be at least this close to the hint, and this much closer than the next one. */
const lowestSimilarity = 0.2;
const margin = 0.05;

/**
 * Decides between projects whose words match equally well, by the similarity of their descriptions to the hint. Leaves
 * the routing unchanged if none is clearly closest or meanings cannot be compared.
 */
export async function chooseByMeaning(
  engine: Engine,
  routing: Routing,
  hint: string,
  summaryOf: (projectId: string) => string,
): Promise<Routing> {
  if (!engine.embedder?.isReady) return routing;
  const described = routing.candidates.map(({ projectId, aliases, keywords }) =>
    [projectId, ...aliases, ...keywords, summaryOf(projectId)].filter((text) => text !== '').join('. '),
  );
  try {
    const similarities = await compare(engine.embedder, hint, described);
    return choose(routing, similarities);
  } catch (error) {
    engine.onFault(error, 'comparing projects');
    return routing;
  }
}

function choose(routing: Routing, similarities: readonly number[]): Routing {
  const [first, second] = routing.candidates
    .map(({ projectId }, index) => ({ projectId, similarity: similarities[index] ?? 0 }))
    .sort((one, other) => other.similarity - one.similarity);
  if (first === undefined) return routing;
  const isClear = first.similarity >= lowestSimilarity && first.similarity - (second?.similarity ?? 0) >= margin;
  const semanticScore = Math.min(1, Math.max(0, first.similarity));
  return isClear
    ? { ...routing, projectId: first.projectId, reason: 'semantic', semanticScore }
    : { ...routing, semanticScore };
}

async function compare(embedder: Embedder, hint: string, texts: readonly string[]): Promise<number[]> {
  const [[query], vectors] = await Promise.all([embedder.embed([hint], { purpose: 'query' }), embedder.embed(texts)]);
  return vectors.map((vector) => (query === undefined ? 0 : cosine(query, vector)));
}

function cosine(one: Float32Array, other: Float32Array): number {
  let dot = 0;
  let oneSquared = 0;
  let otherSquared = 0;
  for (const [index, value] of one.entries()) {
    const opposite = other[index] ?? 0;
    dot += value * opposite;
    oneSquared += value * value;
    otherSquared += opposite * opposite;
  }
  return oneSquared === 0 || otherSquared === 0 ? 0 : dot / Math.sqrt(oneSquared * otherSquared);
}
