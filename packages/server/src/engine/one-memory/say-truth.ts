import type { Truth } from './judge.js';

/** Says what facts say about a memory, for people and models. Undefined if there is nothing to say. */
export function sayTruth(truth: Truth | undefined): string | undefined {
  if (truth === undefined) return undefined;
  const parts = [sayOver(truth), ...truth.disputes.map(({ text, trust }) => sayDispute(text, trust))];
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : said.join('; ');
}

function sayOver({ isCurrent, since, supersededBy }: Truth): string | undefined {
  if (since === undefined) return undefined;
  const what = isCurrent ? 'a part of it is ' : '';
  if (since === null) return `${what}retracted`;
  const day = since.toISOString().slice(0, 10);
  return supersededBy === undefined ? `${what}over since ${day}` : `${what}superseded since ${day} by ${supersededBy}`;
}

function sayDispute(text: string, trust: string): string {
  const source = trust === 'user' || trust === 'operator' ? `the ${trust}` : `a more trusted source (${trust})`;
  return text === '' ? `disputed by ${source}` : `disputed: ${source} says "${text}"`;
}
