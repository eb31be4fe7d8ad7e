import { isTier, tiers, toDailyEntry } from '@memhall/core';
import { type JSONSchema7, jsonSchema, type Tool, tool } from 'ai';
import type { Provider, ProviderOwner, RetainMode, RetainRequest } from '../provider/provider.js';
import { isProviderError, ProviderInvalid, ProviderTimeout } from '../provider/provider-errors.js';

export interface ProviderToolResult {
  /** For the model. */
  content: string;
  is_error?: true;
  metadata?: Record<string, unknown>;
}

export interface ProviderToolsOptions {
  /**
   * Separator between `memory` and the verb. Use `_` for model services that do not allow dots in names. Default `.`.
   */
  separator?: '.' | '_';
  /** Unix time in milliseconds. */
  now?: () => number;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Tiers that tools may write. Lessons are written by operators only. */
const writableTiers = tiers.filter((tier) => tier !== 'lessons');

const text = { type: 'string' } as const;
const key = {
  ...text,
  description: 'A date such as 2026-05-21 for daily, a name such as lena-k for peers; not needed for other tiers',
} as const;

function schemaOf(properties: JSONSchema7['properties'], required: string[]): JSONSchema7 {
  return { type: 'object', properties: properties ?? {}, required, additionalProperties: false };
}

/** The input schemas of the four tools, used both for the model and for validation. */
export const providerToolSchemas = {
  read: schemaOf({ tier: { type: 'string', enum: [...tiers] }, key }, ['tier']),
  write: schemaOf(
    {
      tier: { type: 'string', enum: writableTiers },
      key,
      content: { ...text, description: 'Markdown' },
      mode: {
        type: 'string',
        enum: ['replace', 'append'],
        description: 'replace overwrites the whole text',
      },
    },
    ['tier', 'content', 'mode'],
  ),
  search: schemaOf(
    {
      q: { ...text, minLength: 1, description: 'Words to search for; any of them may match' },
      tier: { type: 'string', enum: [...tiers] },
      limit: { type: 'integer', minimum: 1, maximum: 20 },
    },
    ['q'],
  ),
  append_daily: schemaOf({ entry: { ...text, minLength: 1, description: 'One or two sentences' } }, ['entry']),
} as const satisfies Record<string, JSONSchema7>;

const descriptions: Record<keyof typeof providerToolSchemas, string> = {
  read: 'Reads a whole text of your memory. A text that was never written is empty.',
  write:
    'Writes a text of your memory for later conversations. AGENT and CREW are notes for you and your crew, PERSONA is who ' +
    'you are, pins are facts to keep at hand, daily has notes by day, peers are people. Never write secrets.',
  search: 'Searches your memory by words and returns matching passages.',
  append_daily: "Adds an entry with the current time to today's notes.",
};

/**
 * Creates the four memory tools for a provider. Provider errors do not reject: the result then has `is_error` and tells
 * the model what to do. An abort still rejects.
 */
export function createProviderTools(
  provider: Provider,
  owner: ProviderOwner,
  { separator = '.', now = Date.now }: ProviderToolsOptions = {},
): Record<string, Tool> {
  const { workspaceId, agentId, crewId } = owner;
  const scope = { workspaceId, agentId, crewId };

  const retain = async (request: Omit<RetainRequest, 'workspaceId'>, signal: AbortSignal | undefined) => {
    const { id, bytes, warning } = await provider.retain({ ...scope, ...request }, signal);
    const notice = warning === undefined ? '' : ` ${warning}`;
    return {
      content: `Stored in ${id}, which now has ${bytes} bytes.${notice}`,
      metadata: { source: id, bytes, ...(warning && { warning }) },
    };
  };

  const actions: Record<keyof typeof providerToolSchemas, Action> = {
    async read(input, signal) {
      if (provider.read === undefined) {
        return failure(
          'This memory does not support reading whole texts. Use the search tool instead.',
          'NOT_IMPLEMENTED',
        );
      }
      const { id, content, bytes } = await provider.read({ ...scope, ...placeOf(input) }, signal);
      return { content, metadata: { source: id, bytes } };
    },
    async write(input, signal) {
      return retain({ ...placeOf(input), content: input.content as string, mode: input.mode as RetainMode }, signal);
    },
    async search({ q, tier, limit }, signal) {
      const wanted = {
        query: q as string,
        ...(isTier(tier) && { tier }),
        ...(limit !== undefined && { limit: limit as number }),
      };
      const { hits } = await provider.recall({ ...scope, ...wanted }, signal);
      if (hits.length === 0) return { content: 'Nothing was found. Try other words.', metadata: { hits: 0 } };
      const passages = hits.map(
        ({ source, line, snippet }) => `${source}${line === undefined ? '' : `:${line}`}\n${snippet}`,
      );
      return {
        content: passages.join('\n\n'),
        metadata: { hits: hits.length, sources: hits.map(({ source }) => source) },
      };
    },
    async append_daily({ entry }, signal) {
      const daily = toDailyEntry(new Date(now()), entry as string);
      return retain({ tier: 'daily', ...daily, mode: 'append' }, signal);
    },
  };

  return Object.fromEntries(
    (Object.keys(actions) as (keyof typeof actions)[]).map((name) => [
      `memory${separator}${name}`,
      tool({
        description: descriptions[name],
        inputSchema: jsonSchema<Arguments>(providerToolSchemas[name]),
        execute: (input: Arguments, { abortSignal }: { abortSignal?: AbortSignal | undefined }) =>
          answer(name, actions[name], input, abortSignal),
      }),
    ]),
  );
}

type Action = (input: Arguments, signal: AbortSignal | undefined) => Promise<ProviderToolResult>;

async function answer(
  name: keyof typeof providerToolSchemas,
  action: Action,
  input: Arguments,
  signal: AbortSignal | undefined,
): Promise<ProviderToolResult> {
  const fault = findFault(providerToolSchemas[name], input);
  if (fault !== undefined) return failure(fault, 'INVALID_REQUEST');
  try {
    return await action(input, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isProviderError(error)) throw error;
    if (error instanceof ProviderInvalid) return failure(error.message, error.code, error.details);
    const code = error instanceof ProviderTimeout ? 'TIMEOUT' : 'UNAVAILABLE';
    return failure('Memory is not available at the moment. Continue without it, or try again later.', code);
  }
}

function failure(content: string, code: string, details: Readonly<Record<string, unknown>> = {}): ProviderToolResult {
  return { content, is_error: true, metadata: { code, ...details } };
}

function placeOf({ tier, key: named }: Arguments): Pick<RetainRequest, 'tier' | 'key'> {
  return { tier: tier as RetainRequest['tier'], ...(named !== undefined && { key: named as string }) };
}

/** Returns the first fault of the arguments. Checks every rule that the schemas above use. */
function findFault({ properties = {}, required = [] }: JSONSchema7, input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'The arguments must be an object.';
  const missing = required.find((name) => (input as Arguments)[name] === undefined);
  if (missing !== undefined) return `${missing} is required.`;
  for (const [name, value] of Object.entries(input)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof schema !== 'object')
      return `${name} is unknown. Known arguments are ${Object.keys(properties).join(', ')}.`;
    const fault = findValueFault(schema, value);
    if (fault !== undefined) return `${name} ${fault}.`;
  }
  return undefined;
}

function findValueFault({ type, enum: choices, minLength = 0, minimum = 0, maximum = 0 }: JSONSchema7, value: unknown) {
  if (type === 'integer') {
    const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
    return fits ? undefined : `must be a whole number from ${minimum} to ${maximum}`;
  }
  if (typeof value !== 'string') return 'must be a string';
  if (choices !== undefined && !choices.includes(value)) return `must be one of ${choices.join(', ')}`;
  return value.trim().length < minLength ? 'must not be blank' : undefined;
}
