import { EmbedderError } from '../../ports/embedder-error.js';
import { toUnitVector } from './to-unit-vector.js';

const FLOAT_BYTES = 4;

/**
 * Returns unit vectors from an OpenAI embeddings response, in the order of the inputs. Accepts numbers and base64,
 * regardless of the requested format. `expectedDimension` is unknown before the first response.
 */
export function parseEmbeddingsResponse(
  body: unknown,
  expectedCount: number,
  expectedDimension: number | undefined,
): Float32Array[] {
  const items = isRecord(body) && Array.isArray(body.data) ? body.data : undefined;
  if (items === undefined) throw invalid("lacks the list 'data'");
  if (items.length !== expectedCount) throw invalid(`has ${items.length} vectors for ${expectedCount} texts`);
  const vectors = new Array<Float32Array>(expectedCount);
  for (const [position, item] of items.entries()) {
    const { index, values } = parseItem(item, position);
    if (index >= expectedCount) throw invalid(`has a vector with index ${index} for ${expectedCount} texts`);
    if (vectors[index] !== undefined) throw invalid(`has two vectors with index ${index}`);
    checkDimension(values.length, expectedDimension ?? vectors.find(Boolean)?.length);
    const vector = toUnitVector(values);
    if (vector === undefined)
      throw invalid(`has a vector that is zero or contains non-finite numbers (index ${index})`);
    vectors[index] = vector;
  }
  return vectors;
}

function parseItem(item: unknown, position: number): { index: number; values: ArrayLike<number> } {
  if (!isRecord(item)) throw invalid(`has an item ${position} that is not an object`);
  const index = item.index ?? position;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
    throw invalid(`has an item ${position} without a valid index`);
  }
  const { embedding } = item;
  if (typeof embedding === 'string') return { index, values: fromBase64(embedding) };
  if (Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')) {
    return { index, values: embedding };
  }
  throw invalid(`has an item ${position} whose embedding is neither numbers nor base64`);
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) throw invalid('has base64 that is not a list of floats');
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

function checkDimension(actual: number, expected: number | undefined): void {
  if (expected === undefined || actual === expected) return;
  throw new EmbedderError(
    'dimension-mismatch',
    `The embedding service returns vectors of ${actual} dimensions, but ${expected} are expected`,
  );
}

function invalid(problem: string): EmbedderError {
  return new EmbedderError('invalid-response', `The response of the embedding service ${problem}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
