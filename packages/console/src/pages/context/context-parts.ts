import type { Context } from '@memhall/client/operations';

/** A part of what a model gets to read, or of what it would have got without a budget. */
export interface ContextPart {
  id: string;
  title: string;
  kind: 'document' | 'memory';
  tokens: number;
  /** Why it is not there; undefined if it is. */
  cut?: string;
}

/** The server counts so too. */
const charactersPerToken = 4;

const reasons: Readonly<Record<Context['dropped_bindings'][number]['reason'], string>> = {
  max_docs: 'more documents than the limit',
  max_chars_total: 'over the limit of characters',
  missing: 'it does not exist',
  blocked: 'all of it is withheld from models',
};

/** Returns the parts in the order in which a model reads them, then what the budget cut. */
export function partsOf(context: Context, whole: Context | undefined): ContextPart[] {
  const kept = toParts(context);
  const ids = new Set(kept.map(({ id }) => id));
  const reasonOf = new Map(context.dropped_bindings.map(({ binding_id, reason }) => [binding_id, reasons[reason]]));
  const cut = (whole === undefined ? [] : toParts(whole))
    .filter(({ id }) => !ids.has(id))
    .map((part) => ({ ...part, cut: reasonOf.get(part.id) ?? 'over the budget of tokens' }));
  const listed = new Set(cut.map(({ id }) => id));
  const absent = context.dropped_bindings
    .filter(({ binding_id }) => !listed.has(binding_id))
    .map(({ binding_id: id, reason, missing_variables: missing }): ContextPart => {
      const without = missing === undefined ? '' : `: no value for ${missing.join(', ')}`;
      return { id, title: id, kind: 'document', tokens: 0, cut: `${reasons[reason]}${without}` };
    });
  return [...kept, ...cut, ...absent];
}

function toParts({ documents, memories = [] }: Context): ContextPart[] {
  return [
    ...documents.map(
      ({ binding_id: id, namespace, path, document }): ContextPart => ({
        id,
        title: `${namespace}/${path}`,
        kind: 'document',
        tokens: toTokens(JSON.stringify(document)),
      }),
    ),
    ...memories.map(({ id, text }): ContextPart => ({ id, title: text, kind: 'memory', tokens: toTokens(text) })),
  ];
}

function toTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
