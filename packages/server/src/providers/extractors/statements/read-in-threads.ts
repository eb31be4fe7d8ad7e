import { Problem } from '@memhall/core';
import type { ReadableAttribute, StatedFact, StatementReader, Utterance } from '../../../ports/statement-reader.js';
import { ThreadLimitError, type Threads } from '../../../ports/threads.js';
import { longestRead, statementReader } from './statement-reader.js';

/** Characters that are read without a thread. Others run in between, but the work is still done by the process that serves them. */
const mostCharactersHere = 100_000;
/** Characters that one thread gets: a second of work, if they are hard to read. */
const mostCharactersInThread = 300_000;

interface Texts {
  utterances: readonly Utterance[];
  attributes: readonly ReadableAttribute[];
}

/** Reads in threads if there is much to read. */
export function readInThreads(threads: Threads): StatementReader {
  return {
    prepare: statementReader.prepare,
    async read(utterances, lexicon) {
      if (utterances.reduce((sum, one) => sum + sizeOf(one), 0) <= mostCharactersHere)
        return statementReader.read(utterances, lexicon);
      const stated: StatedFact[][] = [];
      for (const group of groupsOf(utterances)) {
        stated.push(...(await readGroup(threads, { utterances: group, attributes: lexicon.attributes })));
      }
      return stated;
    },
  };
}

async function readGroup(threads: Threads, texts: Texts): Promise<StatedFact[][]> {
  try {
    return await threads.call<StatedFact[][]>({ module: import.meta.url, name: readTexts.name }, texts);
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw new Problem('UNAVAILABLE', 'The texts could not be read in time. Try again later.', {
      retryAfterSeconds: 30,
    });
  }
}

/** Runs in the thread. */
export function readTexts({ utterances, attributes }: Texts): Promise<StatedFact[][]> {
  return statementReader.read(utterances, statementReader.prepare(attributes));
}

/** An empty text takes some time, too. */
function sizeOf({ text }: Utterance): number {
  return Math.min(text.length, longestRead) + 100;
}

function* groupsOf(utterances: readonly Utterance[]): Generator<Utterance[]> {
  let group: Utterance[] = [];
  let size = 0;
  for (const utterance of utterances) {
    size += sizeOf(utterance);
    if (group.length > 0 && size > mostCharactersInThread) {
      yield group;
      group = [];
      size = sizeOf(utterance);
    }
    group.push({ ...utterance, text: utterance.text.slice(0, longestRead) });
  }
  yield group;
}
