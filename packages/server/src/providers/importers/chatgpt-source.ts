import type { ForeignItem } from '../../ports/foreign-memories.js';
import { type Fields, fieldsOf, given, isFields, listOf, momentOf, nameOf, textOf } from './foreign-fields.js';
import type { ForeignFiles } from './foreign-files.js';
import { chooseFiles, isUnfit, readRecords } from './read-records.js';

/** Name of the tool by which ChatGPT saves a memory. */
const memoryTool = 'bio';

/** The data export of ChatGPT: `conversations.json`, in large exports `conversations-000.json` and so on. */
export async function* chatgptSource(files: ForeignFiles): AsyncGenerator<ForeignItem> {
  const isWanted = (name: string) => /(?:^|\/)conversations(?:-\d+)?\.json$/.test(name);
  for await (const record of readRecords(chooseFiles(files, isWanted, 'conversations.json'))) {
    if (isUnfit(record)) yield record;
    else if (isFields(record.value)) yield* toItems(record.value, record.place);
    else yield { type: 'unfit', place: record.place, reason: 'not a conversation' };
  }
}

function* toItems(conversation: Fields, place: string): Generator<ForeignItem> {
  const id = nameOf(conversation.conversation_id ?? conversation.id);
  const { mapping } = conversation;
  if (id === undefined || !isFields(mapping)) {
    yield { type: 'unfit', place, reason: 'not a conversation' };
    return;
  }
  const title = nameOf(conversation.title);
  const shown = shownNodes(conversation, mapping);
  for (const [nodeId, node] of Object.entries(mapping)) {
    const message = fieldsOf(fieldsOf(node).message);
    if (Object.keys(message).length === 0) continue;
    const at = `${place}, message ${nodeId}`;
    const item = toItem(message, at, shown === undefined || shown.has(nodeId));
    if (item === undefined) continue;
    if (item.type === 'unfit') yield item;
    else {
      const occurredAt = momentOf(message.create_time, conversation.create_time);
      yield { ...item, id: `${id}:${nodeId}`, session: id, occurredAt, details: given({ title }) };
    }
  }
}

/** Returns the ids of what the conversation shows: the branch that leads to its current message. undefined: it does not say. */
function shownNodes({ current_node: current }: Fields, mapping: Fields): Set<string> | undefined {
  if (typeof current !== 'string') return undefined;
  const shown = new Set<string>();
  for (let id: unknown = current; typeof id === 'string' && !shown.has(id) && Object.hasOwn(mapping, id); ) {
    shown.add(id);
    id = fieldsOf(mapping[id]).parent;
  }
  return shown;
}

type Read = ForeignItem | undefined;

/** undefined: it is empty, and nobody would miss it. */
function toItem(message: Fields, place: string, isShown: boolean): Read {
  const unfit = (reason: string): Read => ({ type: 'unfit', place, reason });
  const { role, name } = fieldsOf(message.author);
  const content = fieldsOf(message.content);
  if (content.content_type === 'user_editable_context') return unfit('custom instructions');
  if (role === 'system' || (role === 'tool' && name === memoryTool)) return undefined;
  if (role === 'tool') return unfit('output of a tool');
  if (role !== 'user' && role !== 'assistant') return unfit('a message without a role');
  const text = partsOf(content);
  const recipient = message.recipient ?? 'all';
  if (recipient === memoryTool) return text === undefined ? undefined : { ...unnamed(place), kind: 'fact', text };
  const isSaid = content.content_type === 'text' || content.content_type === 'multimodal_text';
  if (!isSaid || recipient !== 'all') return unfit('thoughts and calls of tools');
  if (!isShown) return unfit('in a branch that was replaced');
  if (text !== undefined) return { ...unnamed(place), kind: 'episodic', text, role };
  return content.content_type === 'text' ? undefined : unfit('only images or sound');
}

/** The conversation gives it an id. */
function unnamed(place: string) {
  return { type: 'memory' as const, place, id: '' };
}

/** The text of a message. Parts that are not text are images and files. */
function partsOf({ parts, text }: Fields): string | undefined {
  const texts = listOf(parts).flatMap((part) => {
    if (typeof part === 'string') return textOf(part) ?? [];
    const { content_type: type, text: spoken } = fieldsOf(part);
    return type === 'audio_transcription' ? (textOf(spoken) ?? []) : [];
  });
  return texts.length === 0 ? textOf(text) : textOf(texts.join('\n\n'));
}
