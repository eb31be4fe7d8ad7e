import { Readable } from 'node:stream';

/**
 * Returns a stream of the text. Waits for the first piece, so that an immediate failure becomes an error response. A later failure
 * aborts the response.
 */
export async function startedStream(text: AsyncGenerator<string>): Promise<Readable> {
  const first = await text.next();
  return Readable.from(withFirst(first.done ? '' : first.value, text), { objectMode: false });
}

async function* withFirst(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first !== '') yield first;
  yield* rest;
}
