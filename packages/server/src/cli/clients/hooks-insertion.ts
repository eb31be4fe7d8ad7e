import { StartUpError } from '@memhall/core';
import type { AgentHooks } from './agent-hooks.js';
import { editJson, readJson } from './edit-json.js';
import type { Insertion } from './plan-change.js';

type Entry = { [member: string]: unknown };
/** The entries of Memhall by event. */
type HookEntries = Readonly<Record<string, readonly Entry[]>>;

/** The hooks of Memhall among those of a client. They are recognized by their command. */
export function hooksInsertion({ client, version }: AgentHooks): Insertion<HookEntries> {
  const isOwn = (entry: unknown) => isOwnEntry(entry, client);
  const eventsOf = (path: string, text: string): [string, unknown[]][] => {
    const hooks = readJson(path, text).hooks ?? {};
    if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks))
      throw new StartUpError(`"hooks" of ${path} is not an object. Correct it, then run the command again.`);
    return Object.entries(hooks).filter((event): event is [string, unknown[]] => Array.isArray(event[1]));
  };
  const find = (path: string, text: string): HookEntries | undefined => {
    const own = eventsOf(path, text).flatMap(([event, entries]): [string, Entry[]][] => {
      const found = entries.filter(isOwn) as Entry[];
      return found.length === 0 ? [] : [[event, found]];
    });
    return own.length === 0 ? undefined : Object.fromEntries(own);
  };
  const remove = (path: string, text: string): string => {
    let left = text;
    for (const [event, entries] of eventsOf(path, text)) {
      for (let index = entries.length - 1; index >= 0; index--) {
        if (isOwn(entries[index])) left = editJson(left, ['hooks', event, index], undefined);
      }
      if (entries.length > 0 && entries.every(isOwn)) left = editJson(left, ['hooks', event], undefined);
    }
    return left;
  };
  const add = (path: string, text: string | undefined, entries: HookEntries): string => {
    let done = remove(path, text ?? '');
    if (version !== undefined && readJson(path, done).version === undefined)
      done = editJson(done, ['version'], version);
    for (const [event, own] of Object.entries(entries)) {
      for (const entry of own) {
        const isFirst = !eventsOf(path, done).some(([name]) => name === event);
        done = isFirst ? editJson(done, ['hooks', event], [entry]) : editJson(done, ['hooks', event, -1], entry);
      }
    }
    return done;
  };
  return { find, add, remove };
}

/** In some clients, an entry has the command; in others, a list of commands. */
function isOwnEntry(entry: unknown, client: string): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { command, hooks } = entry as Entry;
  if (Array.isArray(hooks)) return hooks.length > 0 && hooks.every((hook) => isOwnEntry(hook, client));
  return typeof command === 'string' && /memhall/.test(command) && command.includes(` hook ${client}`);
}
