/** Normalizes text to NFC, as it is stored. Returns null and undefined unchanged. */
export function toNormalText<T extends string | null | undefined>(text: T): T {
  return (typeof text === 'string' ? text.normalize('NFC') : text) as T;
}
