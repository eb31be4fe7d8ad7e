import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { textKey } from '../facts/fact-keys.js';
import { type Lesson, readLessons } from '../facts/learn-facts.js';
import type { MemoryKind } from '../memories/kinds.js';
import type { ShownValue } from './shown-values.js';

/** A text that is read as statements is one of these to its reader. */
const readAs = 'note' satisfies MemoryKind;
/** Documents leave out whom a text is about: "Lives in Lisbon", "Moved to Oslo". */
const withoutSubject = /^\p{Lu}\p{Ll}*(?:s|ed)\s/u;

interface Text {
  value: ShownValue;
  memory: Memory;
}

/** Reads what texts of a document state. The result has one lesson for each, or undefined if it states nothing. */
export async function readTexts(
  engine: Engine,
  caller: Caller,
  texts: readonly Text[],
): Promise<(Lesson | undefined)[]> {
  const plain = await readLessons(
    engine,
    caller,
    texts.map(({ value, memory }) => toReadable(memory, value.text)),
  );
  const completed = texts.map(({ value, memory }, index) => {
    const isOpen = plain[index] === undefined && withoutSubject.test(value.text);
    return isOpen ? toReadable(memory, complete(value)) : undefined;
  });
  const open = completed.filter((memory) => memory !== undefined);
  const found = new Map((await readLessons(engine, caller, open)).map((lesson, index) => [open[index], lesson]));
  return texts.map(({ value }, index) => plain[index] ?? onlyAbout(value, found.get(completed[index])));
}

function toReadable(memory: Memory, content: string): Memory {
  return { ...memory, kind: readAs, content };
}

function complete({ subject, text }: ShownValue): string {
  const name = subject === 'me' ? 'The user' : subject;
  return `${name} ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** What a completed text seems to say about somebody else was not meant. */
function onlyAbout({ subject }: ShownValue, lesson: Lesson | undefined): Lesson | undefined {
  const isAbout = lesson?.stated.every((one) => textKey(one.subject) === textKey(subject)) ?? false;
  return isAbout ? lesson : undefined;
}
