import type { ForeignItem } from '../../ports/foreign-memories.js';
import { type Fields, given, isFields, momentOf, nameOf, textOf } from './foreign-fields.js';
import type { ForeignFiles } from './foreign-files.js';
import { chooseFiles, isJson, isUnfit, readRecords } from './read-records.js';

/** Members that hold the text, in the order in which they are looked for. */
const textMembers = ['text', 'content', 'memory', 'data', 'fact', 'summary', 'value'];
const mostMembers = 50;

/** Items of a LangGraph store, as `search` returns them, or rows of the table `store` of its PostgreSQL store. */
export async function* langgraphSource(files: ForeignFiles): AsyncGenerator<ForeignItem> {
  for await (const record of readRecords(chooseFiles(files, isJson, 'JSON file'))) {
    if (isUnfit(record)) yield record;
    else if (record.under === '' || record.under === 'items') yield toItem(record.value, record.place);
  }
}

function toItem(item: unknown, place: string): ForeignItem {
  const unfit = (reason: string): ForeignItem => ({ type: 'unfit', place, reason });
  if (!isFields(item)) return unfit('not an item of a store');
  const key = nameOf(item.key);
  const namespace = namespaceOf(item);
  if (key === undefined || namespace === undefined)
    return unfit('not an item of a store: it has no namespace or no key');
  const text = readText(item.value);
  if (text === undefined) return unfit('a value without text');
  const rest = isFields(item.value) && text !== JSON.stringify(item.value) ? restOf(item.value) : undefined;
  return {
    ...{ type: 'memory', place, id: JSON.stringify([...namespace, key]), kind: 'note', text },
    occurredAt: momentOf(item.updatedAt, item.updated_at, item.createdAt, item.created_at),
    owners: [namespace.join('/'), ...namespace],
    details: given({
      namespace,
      key,
      created_at: momentOf(item.createdAt, item.created_at)?.toISOString(),
      value: rest,
    }),
  };
}

/** Rows of the store for JavaScript have `namespace_path` with colons, those of the one for Python `prefix` with dots. */
function namespaceOf({ namespace, namespace_path: path, prefix }: Fields): string[] | undefined {
  if (typeof path === 'string') return path.split(':');
  if (typeof prefix === 'string') return prefix.split('.');
  return Array.isArray(namespace) ? namespace.flatMap((one) => nameOf(one) ?? []) : undefined;
}

/** A text of the value, else its members as lines if they are plain. */
function readText(value: unknown): string | undefined {
  if (!isFields(value)) return textOf(value);
  for (const name of textMembers) {
    const found = value[name];
    const text = textOf(found) ?? (isFields(found) ? textOf(found.content ?? found.text) : undefined);
    if (text !== undefined) return text;
  }
  const members = Object.entries(value);
  if (members.length === 0 || members.length > mostMembers) return undefined;
  const lines = members.map(([name, one]) => {
    const plain = typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean';
    return plain ? `${name.replaceAll('_', ' ')}: ${one}` : undefined;
  });
  return lines.includes(undefined) ? undefined : textOf(lines.join('\n'));
}

/** What the value has besides its text. */
function restOf(value: Fields): Fields | undefined {
  const name = textMembers.find((one) => textOf(value[one]) !== undefined);
  if (name === undefined) return undefined;
  const { [name]: _, ...rest } = value;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
