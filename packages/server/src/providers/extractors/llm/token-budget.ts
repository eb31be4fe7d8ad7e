const asciiCharactersPerToken = 4;
/** Share of the budget for the end: recent statements stay valid longest. */
const endShare = 0.7;

/** Overestimates rather than underestimates: each non-ASCII character counts as a token. */
function estimateTokens(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x80) ascii += 1;
  return text.length - ascii + Math.ceil(ascii / asciiCharactersPerToken);
}

/** Returns as many items as fit, in order, leaving out the middle: the beginning and the end matter most. */
export function withinBudget<T>(items: readonly T[], maxTokens: number, toText: (item: T) => string): T[] {
  const costs = items.map((item) => estimateTokens(toText(item)));
  let left = maxTokens;
  let end = items.length;
  let start = 0;
  for (; end > 0 && left - (costs[end - 1] ?? 0) >= maxTokens * (1 - endShare); end--) left -= costs[end - 1] ?? 0;
  for (; start < end && left >= (costs[start] ?? 0); start++) left -= costs[start] ?? 0;
  for (; end > start && left >= (costs[end - 1] ?? 0); end--) left -= costs[end - 1] ?? 0;
  return [...items.slice(0, start), ...items.slice(end)];
}
