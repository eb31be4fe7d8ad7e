import { defuseMemoryMarks, type Json, type OptionalLabel, redact, redactJson } from '@memhall/core';
import type { Origin } from '../one-memory/describe-origin.js';
import type { ContentTask } from '../read-long.js';

/** What is shown of a memory and may contain secrets, or text that looks like a mark of ours. */
interface ShownMembers {
  content: string;
  from: string;
  note?: string | undefined;
  origin: Origin;
  propagation: Json | null;
}

interface GivenMembers {
  shown: ShownMembers;
  also: readonly OptionalLabel[];
}

export function cleanMembers({ shown, also }: GivenMembers): ShownMembers {
  return {
    content: clean(shown.content, also),
    from: clean(shown.from, also),
    note: shown.note && clean(shown.note, also),
    origin: cleanJson(shown.origin as unknown as Json, also) as unknown as Origin,
    propagation: cleanJson(shown.propagation, also),
  };
}

export const cleanMembersTask: ContentTask<GivenMembers, ShownMembers> = { module: import.meta.url, run: cleanMembers };

function clean(text: string, also: readonly OptionalLabel[]): string {
  return defuseMemoryMarks(redact(text, also).text);
}

function cleanJson(value: Json, also: readonly OptionalLabel[]): Json {
  return defuse(redactJson(value, also).value);
}

function defuse(value: Json): Json {
  if (typeof value === 'string') return defuseMemoryMarks(value);
  if (Array.isArray(value)) return value.map(defuse);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [defuseMemoryMarks(name), defuse(member)]));
}
