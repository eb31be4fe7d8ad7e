/** Returns the words of a name, in lower case: `userDynamic_v2.json` has user, dynamic, v2, json. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
