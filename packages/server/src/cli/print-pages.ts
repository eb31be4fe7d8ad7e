interface Page {
  items: readonly unknown[];
  nextCursor?: string | undefined;
}

/** Writes every item of every page as a line of JSON. */
export async function printPages(read: (page: { limit: number; cursor: string | undefined }) => Promise<Page>) {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await read({ limit: 100, cursor });
    for (const item of items) process.stdout.write(`${JSON.stringify(item)}\n`);
    cursor = nextCursor;
  } while (cursor !== undefined);
}
