/** Whether two texts say the same but for case, white space and punctuation. */
export function sameText(one: string, other: string): boolean {
  return one !== '' && textKey(one) === textKey(other);
}

/** Equal for texts that say the same but for case, white space and punctuation. */
export function textKey(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  ).join(' ');
}
