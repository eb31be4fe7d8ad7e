import { type Page, pageLimits } from '../engine/page.js';
import type { Environment } from './config-options.js';
import { type Screen, screenOf } from './table.js';

interface Listed<Item> {
  read(page: { limit: number; cursor: string | undefined }): Promise<Page<Item>>;
  toWire(item: Item): object;
  toText(items: readonly Item[], screen: Screen): string;
  /** What is said if there is nothing to list: that there is nothing, and what to do next. */
  nothing: string;
}

/** Prints one page, or all, as a table or as a line of JSON for each item. */
export async function printListed<Item>(
  environment: Environment,
  options: { limit: number; cursor?: string; all?: true; json?: true },
  { read, toWire, toText, nothing }: Listed<Item>,
): Promise<void> {
  const limit = options.all ? pageLimits.max : options.limit;
  let [cursor, isFirst] = [options.cursor, true];
  do {
    const { items, nextCursor } = await read({ limit, cursor });
    if (options.json) for (const item of items) process.stdout.write(`${JSON.stringify(toWire(item))}\n`);
    else if (items.length > 0) process.stdout.write(toText(items, screenOf(process.stdout, environment)));
    else if (isFirst) process.stderr.write(nothing);
    [cursor, isFirst] = [nextCursor, false];
  } while (options.all && cursor !== undefined);
  if (cursor !== undefined) process.stderr.write(`There are more. Add --cursor ${cursor}, or --all.\n`);
}

/** Prints every item, for lists that are short. */
export function printAll<Item>(
  environment: Environment,
  options: { json?: true },
  listed: Listed<Item>,
): Promise<void> {
  const { json } = options;
  return printListed(environment, { limit: pageLimits.max, all: true, ...(json && { json }) }, listed);
}
