/** Text as it is stored: NFC. null and undefined stay what they are. */
export function toNormalText<T extends string | null | undefined>(text: T): T {
  return (typeof text === 'string' ? text.normalize('NFC') : text) as T;
}
