import type { Page } from '../engine/page.js';

/** Prints every item of every page as a line of JSON, in the format of the HTTP API. */
export async function printPages<Item>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Item>>,
  toWire: (item: Item) => object,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await read({ limit: 100, cursor });
    for (const item of items) process.stdout.write(`${JSON.stringify(toWire(item))}\n`);
    cursor = nextCursor;
  } while (cursor !== undefined);
}
