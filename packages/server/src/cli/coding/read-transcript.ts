import { type FileHandle, open } from 'node:fs/promises';
import type { Turn } from './hook-event.js';

/** Read at most at once: the rest is read after the next turn. */
const mostBytes = 8 * 1024 * 1024;
/** Texts that Claude Code itself writes in the place of the user. */
const ofProgram = /^(?:<(?:command-|local-command-|system-reminder|bash-|task-)|Caveat: |\[Request interrupted)/;
const reminders = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

interface ReadTranscript {
  turns: Turn[];
  /** Where to go on: after the last whole line. */
  end: number;
}

/**
 * Reads what was said from a position of a transcript of Claude Code: what the user wrote, and the last text of each answer. Leaves out
 * tools and their results, thoughts, and what subagents and the program itself say.
 */
export async function readTranscript(path: string, start: number): Promise<ReadTranscript> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // A shorter file is another one.
    const from = start > size ? 0 : start;
    const bytes = await readAt(file, from, Math.min(size - from, mostBytes));
    const end = bytes.lastIndexOf(0x0a) + 1;
    // A line that is longer than what is read at once is passed over.
    if (end === 0) return { turns: [], end: bytes.length === mostBytes ? from + bytes.length : from };
    return { turns: lastOfEach(toTurns(bytes.toString('utf8', 0, end))), end: from + end };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

function toTurns(text: string): Turn[] {
  return text.split('\n').flatMap((line): Turn[] => {
    try {
      const turn = toTurn(JSON.parse(line));
      return turn === undefined ? [] : [turn];
    } catch {
      return [];
    }
  });
}

function toTurn(line: Readonly<Record<string, unknown>>): Turn | undefined {
  const { type, uuid, timestamp, isMeta, isSidechain, message } = line;
  if ((type !== 'user' && type !== 'assistant') || isMeta === true || isSidechain === true) return undefined;
  if (typeof uuid !== 'string' || typeof message !== 'object' || message === null) return undefined;
  const text = textOf((message as { content?: unknown }).content)
    .replace(reminders, '')
    .trim();
  if (text === '' || (type === 'user' && ofProgram.test(text))) return undefined;
  const at = new Date(typeof timestamp === 'string' ? timestamp : Number.NaN);
  return { id: uuid, role: type, text, at: Number.isNaN(at.getTime()) ? new Date() : at };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: { type?: unknown; text?: unknown } | null) =>
      block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
    )
    .join('\n\n');
}

/** Of what an agent says while it works, the last is the answer. */
function lastOfEach(turns: readonly Turn[]): Turn[] {
  return turns.filter((turn, index) => turn.role === 'user' || turns[index + 1]?.role !== 'assistant');
}
