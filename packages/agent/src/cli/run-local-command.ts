import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LocalProvider } from '../provider/local/local-provider.js';
import type { QuarantineEntry, QuarantineEvent } from '../provider/local/quarantine.js';
import { isProviderError } from '../provider/provider-errors.js';

interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

const help = `Decide about texts that the provider "local" took out of its files, since a model must not read them.

  memhall-local quarantine list --root memory            what there is, one JSON line each, without the texts
  memhall-local quarantine show <hash> --root memory     the text
  memhall-local quarantine release <hash> --root memory  a false alarm: put it back, and let it pass from now on
  memhall-local quarantine delete <hash> --root memory   an attack: remove it for good
  memhall-local quarantine log --root memory             what was done, when, and by which account

--root is the directory of the block memory.local. Works beside running agents.
`;

type Decide = (provider: LocalProvider, hash: string) => Promise<string | undefined>;

/** What each verb answers; undefined: there is no such text. */
const decisions: Record<string, Decide> = {
  show: async (provider, hash) => {
    const text = await provider.readQuarantined(hash);
    return text === undefined ? undefined : `${text}\n`;
  },
  release: async (provider, hash) => ((await provider.releaseQuarantined(hash)) ? 'Released.\n' : undefined),
  delete: async (provider, hash) => ((await provider.deleteQuarantined(hash)) ? 'Deleted.\n' : undefined),
};

const lists: Record<string, (provider: LocalProvider) => Promise<object[]>> = {
  list: async (provider) => (await provider.listQuarantine()).map(toEntry),
  log: async (provider) => (await provider.quarantineEvents()).map(toEvent),
};

/** With the names that `memhall quarantine list` has for the same. */
function toEntry(entry: QuarantineEntry) {
  return { ...toText(entry), status: entry.isReleased ? 'released' : 'held', created_at: entry.at };
}

function toEvent(event: QuarantineEvent) {
  return { at: event.at, action: event.action, by: event.by, ...toText(event) };
}

function toText(found: Omit<QuarantineEntry, 'isReleased'>) {
  return {
    workspace_id: found.workspaceId,
    agent_id: found.agentId,
    crew_id: found.crewId,
    label: found.label,
    category: found.category,
    rule: found.rule,
    sha256: found.hash,
    origin: { account: found.origin.account, changed_at: found.origin.changedAt },
  };
}

/** The command `memhall-local`. Answers the exit code; never throws for what a person can mend. */
export async function runLocalCommand(args: string[], { stdout, stderr }: Output): Promise<number> {
  try {
    stdout.write(await answer(args));
    return 0;
  } catch (error) {
    const known = error instanceof Misuse || isProviderError(error) || isUnknownFlag(error);
    if (!known) throw error;
    stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

class Misuse extends Error {}

async function answer(args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { root: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help || positionals.length === 0) return help;
  const [topic, verb = '', hash, ...rest] = positionals;
  const list = Object.hasOwn(lists, verb) ? lists[verb] : undefined;
  const decide = Object.hasOwn(decisions, verb) ? decisions[verb] : undefined;
  const isUsable = topic === 'quarantine' && rest.length === 0 && (list ?? decide) !== undefined;
  if (!isUsable || (hash === undefined) !== (decide === undefined)) throw new Misuse(help.trimEnd());
  if (values.root === undefined) throw new Misuse('--root is needed: the directory of the block memory.local.');
  if (!existsSync(values.root)) throw new Misuse('--root names no directory.');
  const provider = new LocalProvider({ root: values.root, workspaceId: 'operator' });
  if (list !== undefined) return (await list(provider)).map((one) => `${JSON.stringify(one)}\n`).join('');
  const told = await decide?.(provider, hash ?? '');
  if (told === undefined) throw new Misuse(`There is nothing in quarantine under ${hash}.`);
  return told;
}

function isUnknownFlag(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
