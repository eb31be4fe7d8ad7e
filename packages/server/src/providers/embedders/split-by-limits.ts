/** Splits texts into consecutive groups within both limits; a text longer than `maxCharacters` gets its own group. */
export function splitByLimits(texts: readonly string[], maxTexts: number, maxCharacters: number): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (group.length > 0 && (group.length >= maxTexts || characters + text.length > maxCharacters)) {
      groups.push(group);
      group = [];
      characters = 0;
    }
    group.push(text);
    characters += text.length;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
