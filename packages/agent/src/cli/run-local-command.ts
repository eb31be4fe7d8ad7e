import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LocalProvider } from '../provider/local/local-provider.js';
import type { QuarantineEntry, QuarantineEvent } from '../provider/local/quarantine.js';
import { isProviderError } from '../provider/provider-errors.js';

interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

const help = `Review texts that the "local" provider moved to quarantine because a model must not read them.

  memhall-local quarantine list --root memory            List quarantined texts as JSON lines, without the texts.
  memhall-local quarantine show <hash> --root memory     Show a quarantined text.
  memhall-local quarantine release <hash> --root memory  Restore a false positive and let it pass from now on.
  memhall-local quarantine delete <hash> --root memory   Delete a quarantined text permanently.
  memhall-local quarantine log --root memory             List past actions with time and account.

--root is the directory configured in memory.local.root, or in memory.local.crewRoot for CREW. The commands are safe to run while agents are running.
`;

type Decide = (provider: LocalProvider, hash: string) => Promise<string | undefined>;

/** The output of each verb. Undefined if there is no such text. */
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

/** Uses the same field names as `memhall quarantine list`. */
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

/**
 * Runs the command `memhall-local` and returns the exit code. Reports errors that the user can fix instead of throwing.
 */
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
  if (values.root === undefined) throw new Misuse('--root is required: the directory configured in memory.local.root.');
  if (!existsSync(values.root)) throw new Misuse('--root is not an existing directory.');
  const provider = new LocalProvider({ root: values.root, workspaceId: 'operator' });
  if (list !== undefined) return (await list(provider)).map((one) => `${JSON.stringify(one)}\n`).join('');
  const output = await decide?.(provider, hash ?? '');
  if (output === undefined) throw new Misuse(`There is nothing in quarantine with the hash ${hash}.`);
  return output;
}

function isUnknownFlag(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
