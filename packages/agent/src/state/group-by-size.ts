const maxEntries = 500;
/** Of one request, whose limit is 1 MiB. */
const maxBytes = 900_000;
const encoder = new TextEncoder();

/** Groups entries so that each group fits into one request. */
export function groupBySize<T>(entries: readonly T[]): T[][] {
  const groups: T[][] = [];
  let room = 0;
  for (const entry of entries) {
    const bytes = encoder.encode(JSON.stringify(entry)).length + 2;
    const last = groups.at(-1);
    if (last === undefined || last.length === maxEntries || bytes > room) {
      groups.push([entry]);
      room = maxBytes - bytes;
    } else {
      last.push(entry);
      room -= bytes;
    }
  }
  return groups;
}
