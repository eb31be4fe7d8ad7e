import type { CallInput, Operations } from '@memhall/client/operations';

export type RecallBody = CallInput<'memory.recall'>['body'];
export type RecallResult = Extract<Operations['memory.recall']['answer']['results'][number], { text: string }>;

export const scopes = ['own', 'shared', 'public'] as const;
export const kinds = [
  'note',
  'semantic',
  'episodic',
  'procedural',
  'fact',
  'summary',
  'checkpoint',
  'event',
  'resource',
  'document',
  'tier',
] as const;

/** What can be set for a recall, as the address has it. Absent members have the defaults of the server. */
export interface RecallSettings {
  limit?: string | undefined;
  /** Separated by commas. */
  scopes?: string | undefined;
  /** Separated by commas. */
  kinds?: string | undefined;
  as_of?: string | undefined;
  known_at?: string | undefined;
  /** `1`: with what is no longer true. */
  superseded?: string | undefined;
  /** `words` or `meaning`: compared by that alone. */
  match?: string | undefined;
  /** `0`: without the reranker. */
  rerank?: string | undefined;
  /** `compared`: ranked as if the other embedder of the server were in use. */
  embedder?: string | undefined;
}

export const settingNames = [
  'limit',
  'scopes',
  'kinds',
  'as_of',
  'known_at',
  'superseded',
  'match',
  'rerank',
  'embedder',
] as const;

export function pickSettings(search: RecallSettings): RecallSettings {
  return Object.fromEntries(settingNames.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));
}

export function settingsFromText(text: string): RecallSettings {
  return pickSettings(Object.fromEntries(new URLSearchParams(text)));
}

export function settingsToText(settings: RecallSettings): string {
  return new URLSearchParams({ ...pickSettings(settings) } as Record<string, string>).toString();
}

export function toBody(query: string, settings: RecallSettings, onBehalf: { user_id?: string }): RecallBody {
  const { limit, as_of, known_at, superseded, match, rerank, embedder } = settings;
  const wantedScopes = scopes.filter((scope) => settings.scopes?.split(',').includes(scope));
  const wantedKinds = kinds.filter((kind) => settings.kinds?.split(',').includes(kind));
  return {
    query,
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(wantedScopes.length > 0 && { scopes: wantedScopes }),
    ...(wantedKinds.length > 0 && { kinds: wantedKinds }),
    ...(as_of !== undefined && { as_of }),
    ...(known_at !== undefined && { known_at }),
    ...(superseded === '1' && { include_superseded: true }),
    ...((match === 'words' || match === 'meaning') && { match }),
    ...(rerank === '0' && { rerank: false }),
    ...(embedder === 'compared' && { embedder }),
    explain: true,
    ...onBehalf,
  };
}

/** The call for a shell. The token is a variable: it does not belong in a clipboard. */
export function toCurl(body: RecallBody): string {
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -s ${window.location.origin}/v1/recall -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${json}'`;
}

export function toTypeScript({ user_id: userId, ...query }: RecallBody): string {
  const options = userId === undefined ? '' : `, ${JSON.stringify({ userId })}`;
  return `import { OneMemoryClient } from '@memhall/client/one-memory';

const memory = new OneMemoryClient({ baseUrl: '${window.location.origin}', token });
const { results } = await memory.recall(${JSON.stringify(query, null, 2)}${options});
`;
}
