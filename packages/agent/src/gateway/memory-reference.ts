import { describeOrigin, type MemoryOrigin } from './describe-origin.js';

/** What a model may see of a search result. All other fields are dropped. */
export interface MemoryReference extends MemoryOrigin {
  id?: string;
  session_id?: string;
  text: string;
  /** Since when it is no longer true and what took its place, or who contradicts it. */
  note?: string;
  score?: number;
  source_scope?: string;
  resource_uri?: string;
}

const textMembers = ['id', 'session_id', 'source_scope', 'resource_uri'] as const;

/** Returns the usable results of a search response, in order. Undefined if it is not a search response. */
export function readReferences(answer: unknown, userId: string): MemoryReference[] | undefined {
  if (!isObject(answer) || !Array.isArray(answer.results)) return undefined;
  return answer.results.flatMap((result) => readReference(result, userId) ?? []);
}

function readReference(result: unknown, userId: string): MemoryReference | undefined {
  if (!isObject(result) || typeof result.text !== 'string' || result.text.trim() === '') return undefined;
  const origin = isObject(result.raw) ? describeOrigin(result.raw, userId) : {};
  const reference: MemoryReference = { ...origin, text: result.text };
  for (const name of textMembers) {
    const value = result[name];
    if (typeof value === 'string') reference[name] = value;
  }
  const truth = isObject(result.raw) ? result.raw.truth : undefined;
  if (isObject(truth) && typeof truth.note === 'string') reference.note = truth.note;
  if (typeof result.score === 'number' && Number.isFinite(result.score)) reference.score = result.score;
  return reference;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
