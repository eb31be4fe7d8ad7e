import type { ForeignItem } from '../../ports/foreign-memories.js';
import { type Fields, given, isFields, listOf, momentOf, nameOf, textOf } from './foreign-fields.js';
import type { ForeignFiles } from './foreign-files.js';
import { chooseFiles, isJson, isUnfit, readRecords } from './read-records.js';

/** What is known of a thread before its messages are read. */
interface Thread {
  id: string | undefined;
  user: string | undefined;
}

/**
 * Answers of Zep's API, kept as files: edges (facts) and nodes of graphs, episodes, and messages of threads, formerly sessions. What a
 * record is follows from its members.
 */
export async function* zepSource(files: ForeignFiles): AsyncGenerator<ForeignItem> {
  let thread: Thread = { id: undefined, user: undefined };
  let file = '';
  for await (const record of readRecords(chooseFiles(files, isJson, 'JSON file'))) {
    if (isUnfit(record)) {
      yield record;
      continue;
    }
    if (record.file.name !== file) thread = { id: undefined, user: undefined };
    file = record.file.name;
    const { under, value, place } = record;
    if (under === 'thread_id' || under === 'session_id') thread = { ...thread, id: nameOf(value) };
    else if (under === 'user_id') thread = { ...thread, user: nameOf(value) };
    else if (isFields(value)) yield* toItems(value, place, thread);
    else if (under === '') yield { type: 'unfit', place, reason: 'not a record of Zep' };
  }
}

function* toItems(value: Fields, place: string, thread: Thread): Generator<ForeignItem> {
  if (Array.isArray(value.messages)) {
    const own = {
      id: nameOf(value.thread_id ?? value.session_id) ?? thread.id,
      user: nameOf(value.user_id) ?? thread.user,
    };
    for (const [index, message] of listOf(value.messages).entries()) {
      const at = `${place}, message ${index + 1}`;
      if (isFields(message)) yield toMessage(message, at, own);
      else yield { type: 'unfit', place: at, reason: 'not a message' };
    }
  } else if ('fact' in value) yield toFact(value, place, thread);
  else if ('content' in value) yield toMessage(value, place, thread);
  else if ('summary' in value) yield toSummary(value, place, thread);
  else yield { type: 'unfit', place, reason: 'neither a fact, a message nor a summary' };
}

/** A fact that is over says so in its text: otherwise it would read as if it were true. */
function toFact(edge: Fields, place: string, { user }: Thread): ForeignItem {
  const [id, fact] = [nameOf(edge.uuid), textOf(edge.fact)];
  if (id === undefined || fact === undefined) return { type: 'unfit', place, reason: 'a fact without id or text' };
  const since = momentOf(edge.valid_at);
  const until = momentOf(edge.invalid_at, edge.expired_at);
  const times = [...(since ? [`from ${dayOf(since)}`] : []), ...(until ? [`until ${dayOf(until)}`] : [])].join(' ');
  return {
    ...{ type: 'memory', place, id, kind: 'fact', text: until === undefined ? fact : `${fact} (true ${times})` },
    occurredAt: since ?? momentOf(edge.created_at),
    owners: ownersOf(nameOf(edge.user_id) ?? user),
    details: given({
      name: nameOf(edge.name),
      created_at: momentOf(edge.created_at)?.toISOString(),
      valid_at: since?.toISOString(),
      invalid_at: until?.toISOString(),
    }),
  };
}

function toMessage(message: Fields, place: string, thread: Thread): ForeignItem {
  const unfit = (reason: string): ForeignItem => ({ type: 'unfit', place, reason });
  const [id, text] = [nameOf(message.uuid ?? message.message_id), textOf(message.content)];
  if (id === undefined || text === undefined) return unfit('a message without id or text');
  if (message.source === 'json') return unfit('an episode of JSON');
  // `role` was a name before `role_type` was the role; now `role` is the role and `name` the name.
  const role = nameOf(message.role_type ?? message.role)?.toLowerCase();
  if (role === 'tool' || role === 'function') return unfit('output of a tool');
  if (role === 'system') return unfit('instructions of the application');
  const name = nameOf(message.name) ?? (message.role_type === undefined ? undefined : nameOf(message.role));
  return {
    ...{ type: 'memory', place, id, kind: 'episodic', text },
    occurredAt: momentOf(message.created_at),
    ...(role === 'user' || role === 'assistant' ? { role } : { author: name ?? role }),
    owners: ownersOf(nameOf(message.user_id) ?? thread.user),
    session: nameOf(message.thread_id ?? message.session_id) ?? thread.id,
    details: given({ name }),
  };
}

function toSummary(node: Fields, place: string, { user }: Thread): ForeignItem {
  const [id, name, summary] = [nameOf(node.uuid), nameOf(node.name), textOf(node.summary)];
  if (id === undefined || summary === undefined) return { type: 'unfit', place, reason: 'a node without a summary' };
  return {
    ...{ type: 'memory', place, id, kind: 'summary', text: name === undefined ? summary : `${name}: ${summary}` },
    occurredAt: momentOf(node.created_at),
    owners: ownersOf(nameOf(node.user_id) ?? user),
    details: given({ labels: listOf(node.labels).flatMap((label) => nameOf(label) ?? []) }),
  };
}

function ownersOf(user: string | undefined): string[] {
  return user === undefined ? [] : [user];
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
