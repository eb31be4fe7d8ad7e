type Document = Readonly<Record<string, unknown>>;
type Predicate = (document: Document) => boolean;

const token = /\s*(?:'((?:[^']|'')*)'|(\d{4}-\d\d-\d\dT[\d:.]+Z)|([A-Za-z_][A-Za-z0-9_]*)|([()/:]))/y;
const comparisons: Record<string, (one: string, other: string) => boolean> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
};

interface Token {
  kind: 'text' | 'moment' | 'word' | 'sign';
  value: string;
}

/**
 * The filters of Azure AI Search: comparisons of fields with strings and moments, `and`, `or`, `not`, parentheses, and `any` of a
 * collection. More than Memhall sends, so that an injected condition has the effect it would have there. Throws if a filter cannot
 * be parsed to its end.
 */
export function parseFilter(text: string): Predicate {
  const tokens = tokenize(text);
  let at = 0;
  const peek = () => tokens[at];
  const take = (value?: string): Token => {
    const next = tokens[at++];
    if (next === undefined || (value !== undefined && next.value !== value)) throw new Error('unexpected');
    return next;
  };
  const isWord = (word: string) => peek()?.kind === 'word' && peek()?.value === word;

  const disjunction = (): Predicate => {
    let left = conjunction();
    while (isWord('or')) {
      take();
      const [one, other] = [left, conjunction()];
      left = (document) => one(document) || other(document);
    }
    return left;
  };
  const conjunction = (): Predicate => {
    let left = negation();
    while (isWord('and')) {
      take();
      const [one, other] = [left, negation()];
      left = (document) => one(document) && other(document);
    }
    return left;
  };
  const negation = (): Predicate => {
    if (isWord('not')) {
      take();
      const inner = negation();
      return (document) => !inner(document);
    }
    if (peek()?.value === '(' && peek()?.kind === 'sign') {
      take('(');
      const inner = disjunction();
      take(')');
      return inner;
    }
    return comparison();
  };
  const comparison = (): Predicate => {
    const field = word(take());
    if (peek()?.value === '/') {
      take('/');
      take('any');
      take('(');
      const variable = word(take());
      take(':');
      take(variable);
      const holds = compare();
      take(')');
      return (document) => ((document[field] as string[] | null) ?? []).some(holds);
    }
    const holds = compare();
    return (document) => typeof document[field] === 'string' && holds(document[field]);
  };
  const compare = () => {
    const holds = comparisons[word(take())];
    const { kind, value } = take();
    if (holds === undefined || (kind !== 'text' && kind !== 'moment')) throw new Error('unexpected');
    const right = kind === 'moment' ? new Date(value).toISOString() : value;
    return (left: string) => holds(kind === 'moment' ? new Date(left).toISOString() : left, right);
  };

  const predicate = disjunction();
  if (at !== tokens.length) throw new Error('unexpected');
  return predicate;
}

function word({ kind, value }: Token): string {
  if (kind !== 'word') throw new Error('unexpected');
  return value;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (token.lastIndex = 0; text.slice(token.lastIndex).trim() !== ''; ) {
    const found = token.exec(text);
    if (found === null) throw new Error('unexpected');
    const [, quoted, moment, name, sign] = found;
    if (quoted !== undefined) tokens.push({ kind: 'text', value: quoted.replaceAll("''", "'") });
    else if (moment !== undefined) tokens.push({ kind: 'moment', value: moment });
    else if (name !== undefined) tokens.push({ kind: 'word', value: name });
    else tokens.push({ kind: 'sign', value: sign ?? '' });
  }
  return tokens;
}
