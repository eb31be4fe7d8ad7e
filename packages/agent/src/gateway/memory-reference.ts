/** The fields of a search result that the model may see. All other fields are dropped. */
export interface MemoryReference {
  id?: string;
  session_id?: string;
  text: string;
  score?: number;
  source_scope?: string;
  resource_uri?: string;
}

const textMembers = ['id', 'session_id', 'source_scope', 'resource_uri'] as const;

/** Returns the usable results of a search response, in order. Undefined if it is not a search response. */
export function readReferences(answer: unknown): MemoryReference[] | undefined {
  if (!isObject(answer) || !Array.isArray(answer.results)) return undefined;
  return answer.results.flatMap((result) => readReference(result) ?? []);
}

function readReference(result: unknown): MemoryReference | undefined {
  if (!isObject(result) || typeof result.text !== 'string' || result.text.trim() === '') return undefined;
  const reference: MemoryReference = { text: result.text };
  for (const name of textMembers) {
    const value = result[name];
    if (typeof value === 'string') reference[name] = value;
  }
  if (typeof result.score === 'number' && Number.isFinite(result.score)) reference.score = result.score;
  return reference;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
