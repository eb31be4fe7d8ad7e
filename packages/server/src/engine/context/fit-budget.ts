import type { AssembledContext, ContextDocument, ContextRequest } from './assemble-context.js';

/**
 * Selects documents, given in order of priority, that fit the budget. Documents that are too large on their own are
 * dropped first; then the last ones are dropped until the rest fits.
 */
export function fitBudget(
  documents: readonly ContextDocument[],
  { maxDocuments, maxCharacters }: Pick<ContextRequest, 'maxDocuments' | 'maxCharacters'>,
): { kept: ContextDocument[]; dropped: AssembledContext['dropped'] } {
  const sized = documents.map((document) => ({ document, characters: JSON.stringify(document.body).length }));
  const tooLarge = sized.filter(({ characters }) => characters > maxCharacters);
  const possible = sized.filter(({ characters }) => characters <= maxCharacters);
  const tooMany = possible.splice(maxDocuments);
  const overBudget: typeof sized = [];
  let total = possible.reduce((sum, { characters }) => sum + characters, 0);
  while (total > maxCharacters) {
    const last = possible.pop();
    if (last === undefined) break;
    total -= last.characters;
    overBudget.unshift(last);
  }
  const dropped = [
    ...[...tooLarge, ...overBudget].map(({ document }) => ({
      bindingId: document.binding.bindingId,
      reason: 'max_chars_total' as const,
    })),
    ...tooMany.map(({ document }) => ({ bindingId: document.binding.bindingId, reason: 'max_docs' as const })),
  ];
  return { kept: possible.map(({ document }) => document), dropped };
}
