import { Problem, StartUpError } from '@memhall/core';
import { openOutput } from '../composition/export-archive.js';
import { openForeignMemories } from '../composition/open-foreign-memories.js';
import type { Engine } from '../engine/engine.js';
import { bringIn } from '../engine/imports/bring-in.js';
import type { Member } from '../engine/one-memory/member.js';
import type { ForeignMemories, ForeignMemory, ForeignSource } from '../ports/foreign-memories.js';
import type { Environment } from './config-options.js';
import { ImportReport } from './import-report.js';
import { memberOf, type OwnerOptions } from './memory-owner.js';
import { ProgressBar } from './progress-bar.js';
import { printResult } from './report.js';
import { withEngine } from './with-engine.js';

export interface ImportFromOptions extends Omit<OwnerOptions, 'namespace'> {
  from: ForeignSource;
  apply?: true;
  of?: string;
  everyone?: true;
  report?: string;
  namespace?: string;
  json?: true;
}

/** As many as get their vectors before the write returns: nothing else may run that computes them later. */
const batchSize = 32;
/** Long texts are brought in sooner, so that no batch is large. */
const batchCharacters = 100_000;
const mostOwnersShown = 20;

/** Brings in what another tool remembers, or shows what would be brought in. */
export async function importFrom(environment: Environment, path: string, options: ImportFromOptions): Promise<void> {
  const { from, apply = false, json } = options;
  const member = memberOf(options, `cli.import`);
  const exported = await openForeignMemories(from, path);
  try {
    const total = await survey(exported, options);
    const bar = new ProgressBar(apply ? 'Importing' : 'Reading');
    const output = options.report === undefined ? undefined : await openOutput(options.report, true);
    const report = new ImportReport(from, apply, (line) => output?.write(line));
    try {
      await withEngine(environment, options, async (engine) => {
        const run = { engine, member: { ...member, operation: `import.${from}` }, options, report };
        for await (const done of bringAll(run, exported)) bar.update(done, total);
      }).catch((error: unknown) => {
        throw explain(error, report);
      });
      await output?.finish();
    } catch (error) {
      await output?.abandon();
      throw error;
    } finally {
      bar.finish();
    }
    printResult(json, report.toJson(), report.toText(options.report));
  } finally {
    await exported.close();
  }
}

interface Run {
  engine: Engine;
  member: Member;
  options: ImportFromOptions;
  report: ImportReport;
}

/** Yields how many items are done, after each batch. */
async function* bringAll({ engine, member, options, report }: Run, exported: ForeignMemories): AsyncGenerator<number> {
  const { from: source, namespace, apply: isApplied = false } = options;
  const seen = new Set<string>();
  let batch: ForeignMemory[] = [];
  let characters = 0;
  let done = 0;
  const flush = async () => {
    for (const brought of await bringIn(engine, member, { source, namespace, isApplied }, batch))
      await report.add(brought);
    batch = [];
    characters = 0;
  };
  for await (const item of exported.items()) {
    done += 1;
    if (item.type === 'unfit') await report.addUnfit(item);
    else if (!isWanted(item, options)) await report.addUnfit({ place: item.place, reason: 'of another user' });
    else if (seen.has(item.id)) report.addRepeated();
    else {
      seen.add(item.id);
      batch.push(item);
      characters += item.text.length;
      if (batch.length < batchSize && characters < batchCharacters) continue;
      await flush();
      yield done;
    }
  }
  if (batch.length > 0) await flush();
  yield done;
}

function isWanted({ owners = [] }: ForeignMemory, { of: wanted }: ImportFromOptions): boolean {
  return wanted === undefined || owners.includes(wanted);
}

/**
 * Reads the export once and counts it, so that a broken one stores nothing. Throws StartUpError if it is of several people: their
 * memories must not become those of one by mistake.
 */
async function survey(exported: ForeignMemories, options: ImportFromOptions): Promise<number> {
  const counts = new Map<string, number>();
  let total = 0;
  for await (const item of exported.items()) {
    total += 1;
    if (item.type === 'unfit') continue;
    const [owner] = item.owners ?? [];
    if (owner !== undefined && isWanted(item, options)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  if (counts.size > 1 && options.of === undefined && options.everyone !== true) {
    const shown = [...counts].slice(0, mostOwnersShown).map(([owner, count]) => `${owner} (${count})`);
    const more = counts.size > mostOwnersShown ? ` and ${counts.size - mostOwnersShown} more` : '';
    throw new StartUpError(
      `This is the memory of several users: ${shown.join(', ')}${more}. Choose one with --of, or import all of it as the memory of one user with --everyone.`,
    );
  }
  return total;
}

/** Says what is stored already: running the command again goes on from there. */
function explain(error: unknown, report: ImportReport): unknown {
  if (!(error instanceof Problem) || error.code === 'INTERNAL' || !report.hasStored) return error;
  return new StartUpError(`${error.message} What was stored before stays: run the command again to go on.`, {
    cause: error,
  });
}
