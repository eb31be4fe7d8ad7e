import type { CallInput } from '@memhall/client/operations';

export interface ContextSearch {
  profile?: string | undefined;
  q?: string | undefined;
  hint?: string | undefined;
  project?: string | undefined;
  vars?: string | undefined;
  tokens?: string | undefined;
  docs?: string | undefined;
  chars?: string | undefined;
  as_of?: string | undefined;
  known_at?: string | undefined;
}

type ContextBody = CallInput<'context.assemble'>['body'];

/** What the server uses if nothing is given. */
export const usual = { tokens: 2000, docs: 4, chars: 30_000 } as const;
/** The most that it accepts. */
const most = { tokens: 1_000_000, docs: 100, chars: 10_000_000 } as const;

export function toContextBody(profileId: string, search: ContextSearch): ContextBody {
  const { q, hint, project, vars, as_of, known_at } = search;
  const numbers = (Object.keys(usual) as (keyof typeof usual)[]).map((name) => {
    const given = Number(search[name]);
    const whole = Number.isInteger(given) && given > 0 ? Math.min(given, most[name]) : usual[name];
    return [name, whole] as const;
  });
  const { tokens, docs, chars } = Object.fromEntries(numbers) as Record<keyof typeof usual, number>;
  const variables = variablesFromText(vars);
  return {
    profile_id: profileId,
    conversation_hint: { text: hint ?? null, project_id: project ?? null },
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(q !== undefined && { query: q }),
    ...(as_of !== undefined && { as_of }),
    ...(known_at !== undefined && { known_at }),
    token_budget: tokens,
    max_docs: docs,
    max_chars_total: chars,
    debug: true,
  };
}

/** The same without a budget: what is in this and not in the other was cut. */
export function withoutBudget(body: ContextBody): ContextBody {
  return { ...body, token_budget: most.tokens, max_docs: most.docs, max_chars_total: most.chars, debug: false };
}

/** "team_id=blue, region=eu" */
function variablesFromText(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('=').map((side) => side.trim()));
  return Object.fromEntries(pairs.filter(([name = '', value = '']) => name !== '' && value !== ''));
}
