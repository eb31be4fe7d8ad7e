import { MemoryClient } from '@memhall/client';
import { OneMemoryClient } from '@memhall/client/one-memory';

export const url = process.env.URL ?? '';
/** Tokens of two users of the same tenant, and of a service. */
export const { ANN: ann = '', BOB: bob = '', SERVICE: service = '' } = process.env;

export const clientOf = (token) => new MemoryClient({ baseUrl: url, token });
export const memoryOf = (token) => new OneMemoryClient({ baseUrl: url, token });

export async function recalledTexts(token, query) {
  const { results } = await memoryOf(token).recall(query);
  return results.map(({ text }) => text);
}
