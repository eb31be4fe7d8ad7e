/** Returns whether two texts are equal except for case, white space and punctuation. False if `one` is empty. */
export function sameText(one: string, other: string): boolean {
  return one !== '' && textKey(one) === textKey(other);
}

/** Returns a key that is the same for texts that are equal except for case, white space and punctuation. */
export function textKey(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  ).join(' ');
}
