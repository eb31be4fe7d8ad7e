import { open } from 'node:fs/promises';

/** Of the end of a transcript, which may be long. */
const maxBytes = 1_000_000;

/** Returns the text of the last answer in a transcript, or an empty text. Versions before 0.3 do not pass it to hooks. */
export async function lastAnswer(transcriptPath: string): Promise<string> {
  const lines = (await readEnd(transcriptPath)).split('\n').reverse();
  for (const line of lines) {
    const { type, message } = parse(line);
    if (type === 'user' && typeof message?.content === 'string') return '';
    if (type !== 'assistant' || !Array.isArray(message?.content)) continue;
    const texts = message.content.flatMap((part) => (part?.type === 'text' ? [String(part.text)] : []));
    if (texts.length > 0) return texts.join('\n');
  }
  return '';
}

function parse(line: string): { type?: string; message?: { content?: unknown } } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - maxBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(size, maxBytes)), position: start });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
