import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind } from '../events/event-record.js';
import { type LearnedMemory, learnableKinds, readLessons } from '../facts/learn-facts.js';
import { readReplayedEvent } from './learn-replay.js';
import { lessonOfText } from './learned-facts.js';

/** Kinds of stored memories that state facts by themselves. */
export const statingKinds: readonly string[] = [...learnableKinds, eventKind];

/** Reads what stored memories state. The result has a list for each, empty if it states nothing. */
export async function readStored(
  engine: Engine,
  caller: Caller,
  memories: readonly Memory[],
): Promise<LearnedMemory[][]> {
  const lessons = await readLessons(engine, caller, memories);
  const learned = await Promise.all(
    memories.map((memory, index) =>
      memory.kind === eventKind
        ? readReplayedEvent(engine, caller, memory)
        : [{ memory, lesson: lessonOfText(memory, lessons[index]) }],
    ),
  );
  return learned.map((all) => all.filter(({ lesson }) => lesson !== undefined));
}
