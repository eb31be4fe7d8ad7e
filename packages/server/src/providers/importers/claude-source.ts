import type { ForeignItem } from '../../ports/foreign-memories.js';
import { cutSections } from './cut-sections.js';
import { type Fields, fieldsOf, given, isFields, listOf, momentOf, nameOf, textOf } from './foreign-fields.js';
import type { ForeignFiles } from './foreign-files.js';
import { chooseFiles, isUnfit, type PlacedRecord, readRecords } from './read-records.js';

const wanted =
  /(?:^|\/)(?:conversations\.jsonl?|memories\.json|memories\/[^/]+\.json|projects\.json|projects\/[^/]+\.json)$/;

/** The data export of Claude: conversations, and what Claude remembers across them. */
export async function* claudeSource(files: ForeignFiles): AsyncGenerator<ForeignItem> {
  const chosen = chooseFiles(files, (name) => wanted.test(name), 'conversations.json');
  for await (const record of readRecords(chosen)) {
    if (isUnfit(record)) yield record;
    else yield* toItems(record);
  }
}

/** Memories and projects are objects in a list, or, in newer exports, files of their own, which are read member by member. */
function* toItems(record: PlacedRecord): Generator<ForeignItem> {
  const { under, place } = record;
  const value = under === '' ? record.value : { [under]: record.value };
  if (!isFields(value)) yield { type: 'unfit', place, reason: 'not a conversation' };
  else if (Array.isArray(value.chat_messages)) yield* toMessages(value, place);
  else if ('conversations_memory' in value || 'project_memories' in value) yield* toMemories(value, record);
  else if ('docs' in value) {
    for (const _ of [value.docs].flat()) yield { type: 'unfit', place, reason: 'a document of a project' };
  } else if (under === '') yield { type: 'unfit', place, reason: 'not a conversation' };
}

function* toMessages(conversation: Fields, place: string): Generator<ForeignItem> {
  const session = nameOf(conversation.uuid);
  const title = nameOf(conversation.name);
  for (const [index, one] of listOf(conversation.chat_messages).entries()) {
    const at = `${place}, message ${index + 1}`;
    const unfit = (reason: string): ForeignItem => ({ type: 'unfit', place: at, reason });
    const message = fieldsOf(one);
    const id = nameOf(message.uuid);
    const role = message.sender === 'human' ? 'user' : message.sender === 'assistant' ? 'assistant' : undefined;
    const text = textIn(message);
    for (const _ of listOf(message.attachments)) yield unfit('an attachment');
    if (id === undefined || role === undefined) yield unfit('a message without id or sender');
    else if (text === undefined) yield unfit('a message without text');
    else {
      const occurredAt = momentOf(message.created_at, conversation.created_at);
      const details = given({ title });
      yield { type: 'memory', place: at, id, kind: 'episodic', text, role, session, occurredAt, details };
    }
  }
}

/** `text` has placeholders where tools were used, `content` has the parts. */
function textIn({ text, content }: Fields): string | undefined {
  const parts = listOf(content).map(fieldsOf);
  const said = parts.flatMap((part) => (part.type === 'text' ? (textOf(part.text) ?? []) : []));
  return said.length === 0 ? textOf(text) : textOf(said.join('\n\n'));
}

function* toMemories(value: Fields, { place, file }: PlacedRecord): Generator<ForeignItem> {
  const texts: [string, unknown][] = [
    ['memory', value.conversations_memory],
    ...Object.entries(fieldsOf(value.project_memories)).map(([id, text]): [string, unknown] => [`project ${id}`, text]),
  ];
  for (const [about, remembered] of texts) {
    for (const { key, text } of cutSections(textOf(remembered) ?? '')) {
      const found = {
        place: `${place}, ${about}`,
        id: `${about}:${key}`,
        occurredAt: file.modifiedAt,
        details: { about },
      };
      yield { type: 'memory', kind: 'summary', text, ...found };
    }
  }
}
