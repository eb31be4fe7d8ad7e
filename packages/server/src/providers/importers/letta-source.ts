import type { ForeignItem } from '../../ports/foreign-memories.js';
import {
  digestOf,
  type Fields,
  fieldsOf,
  given,
  isFields,
  listOf,
  momentOf,
  nameOf,
  textOf,
} from './foreign-fields.js';
import type { ForeignFiles } from './foreign-files.js';
import { chooseFiles, isUnfit, readRecords } from './read-records.js';

/**
 * Agent files (.af): blocks of core memory, and messages of agents. Ids in a file are numbers within it (`agent-0`), so agents are told
 * apart by their names.
 */
export async function* lettaSource(files: ForeignFiles): AsyncGenerator<ForeignItem> {
  const chosen = chooseFiles(files, (name) => /\.(?:af|json)$/i.test(name), '.af file');
  for await (const record of readRecords(chosen)) {
    if (isUnfit(record)) {
      yield record;
      continue;
    }
    const { under, value, place, file } = record;
    const stem = file.name.replace(/\.[^.]+$/, '');
    if (under === 'agents' && isFields(value)) yield* toAgent(value, place, stem);
    else if (under === 'blocks' || under === 'core_memory')
      yield toBlock(fieldsOf(value), place, stem, file.modifiedAt);
    // Files of the first version are about one agent.
    else if (under === 'messages') yield* toMessage(fieldsOf(value), place, stem);
  }
}

function* toAgent(agent: Fields, place: string, stem: string): Generator<ForeignItem> {
  const name = nameOf(agent.name) ?? stem;
  for (const [index, message] of listOf(agent.messages).entries()) {
    yield* toMessage(fieldsOf(message), `${place}, message ${index + 1}`, name);
  }
}

function toBlock(block: Fields, place: string, stem: string, fileTime: Date): ForeignItem {
  const [label, value] = [nameOf(block.label), textOf(block.value)];
  if (label === undefined || value === undefined) return { type: 'unfit', place, reason: 'an empty block' };
  // The persona describes the agent, not what the agent knows.
  if (label === 'persona') return { type: 'unfit', place, reason: 'the persona of an agent' };
  return {
    ...{ type: 'memory', place, id: `block:${stem}:${label}`, kind: 'summary', text: `${label}: ${value}` },
    occurredAt: momentOf(block.updated_at, block.created_at) ?? fileTime,
    details: given({ label, description: textOf(block.description) }),
  };
}

function* toMessage(message: Fields, place: string, agent: string): Generator<ForeignItem> {
  const unfit = (reason: string): ForeignItem => ({ type: 'unfit', place, reason });
  const role = nameOf(message.role);
  if (role === 'system') yield unfit('instructions of the agent');
  else if (role === 'tool' || role === 'function') yield unfit('output of a tool');
  else if (role !== 'user' && role !== 'assistant') yield unfit('a message without a role');
  else {
    const said = role === 'user' ? userText(message) : agentText(message);
    const at = momentOf(message.created_at, message.date);
    if (said === undefined) yield unfit(role === 'user' ? 'a message of the system' : 'thoughts and calls of tools');
    else {
      // Ids are new in each export.
      const id = `message:${agent}:${digestOf(role, at?.toISOString() ?? '', said)}`;
      const speaker = { role, session: agent } as const;
      yield { type: 'memory', place, id, kind: 'episodic', text: said, occurredAt: at, ...speaker };
    }
  }
}

/** Letta wraps messages of users in JSON, with their time; other wrapped messages are its own. */
function userText(message: Fields): string | undefined {
  const text = contentOf(message);
  if (text === undefined || !text.startsWith('{')) return text;
  try {
    const wrapped: unknown = JSON.parse(text);
    if (!isFields(wrapped) || typeof wrapped.type !== 'string') return text;
    return wrapped.type === 'user_message' ? textOf(wrapped.message) : undefined;
  } catch {
    return text;
  }
}

/** What an agent says is an argument of the tool `send_message`; in newer agents, the content of a message that calls no tool. */
function agentText(message: Fields): string | undefined {
  const calls = listOf(message.tool_calls).map(fieldsOf);
  if (calls.length === 0) return contentOf(message);
  const said = calls.flatMap((call) => {
    const { name, arguments: given } = fieldsOf(call.function);
    if (name !== 'send_message' || typeof given !== 'string') return [];
    try {
      return textOf(fieldsOf(JSON.parse(given)).message) ?? [];
    } catch {
      return [];
    }
  });
  return textOf(said.join('\n\n'));
}

function contentOf({ content, text }: Fields): string | undefined {
  if (!Array.isArray(content)) return textOf(content ?? text);
  const parts = content.map(fieldsOf).flatMap((part) => (part.type === 'text' ? (textOf(part.text) ?? []) : []));
  return textOf(parts.join('\n'));
}
