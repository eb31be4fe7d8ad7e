/** Rows of the first page, whose length nobody knows. */
export const firstPageSize = 16;
const pageChars = 512 * 1024;

/** Returns how many rows to read next, so that a page takes about the same memory however long its rows are. */
export function nextPageSize({ size, chars, most }: { size: number; chars: number; most: number }): number {
  const fitting = Math.floor((size * pageChars) / Math.max(chars, 1));
  return Math.max(1, Math.min(fitting, 2 * size, most));
}
