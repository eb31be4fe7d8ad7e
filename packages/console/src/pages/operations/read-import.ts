import type { CallInput } from '@memhall/client/operations';

type RememberBody = CallInput<'memory.remember'>['body'];
type ImportedMemory = Extract<RememberBody, { memories: unknown }>['memories'][number];
type ImportedFact = CallInput<'facts.put'>['body'];

export interface ImportFile {
  memories: ImportedMemory[];
  facts: ImportedFact[];
  /** Lines of an export that are derived from others, or stored another way: documents, files, their pieces, old facts. */
  others: number;
  faults: { line: number; reason: string }[];
}

const kinds = ['note', 'semantic', 'episodic', 'procedural', 'fact', 'summary', 'checkpoint'] as const;
const roles = ['user', 'assistant', 'tool', 'system'] as const;
type Line = Readonly<Record<string, unknown>>;

/**
 * Reads JSON Lines: an export, or objects with at least `content`. A memory without an external id gets one made of its id, so that
 * importing a file twice stores each once.
 */
export function readImport(text: string): ImportFile {
  const file: ImportFile = { memories: [], facts: [], others: 0, faults: [] };
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const reason = addLine(file, line, index + 1);
    if (reason !== undefined) file.faults.push({ line: index + 1, reason });
  }
  return file;
}

/** Returns what is wrong with the line, if something is. */
function addLine(file: ImportFile, text: string, number: number): string | undefined {
  const line = parse(text);
  if (line === undefined) return 'This is not a JSON object.';
  const { type = 'memory' } = line;
  if (type === 'fact') {
    if (line.status === 'current' || line.status === undefined) return addFact(file, line);
    file.others += 1;
    return undefined;
  }
  if (type !== 'memory' || (line.kind !== undefined && !kinds.some((kind) => kind === line.kind))) {
    if (type !== 'export' && type !== 'end') file.others += 1;
    return undefined;
  }
  const content = textOf(line.content);
  if (content === undefined) return 'A memory needs `content`, a text.';
  file.memories.push(toMemory(line, content, number));
  return undefined;
}

function parse(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

function toMemory(line: Line, content: string, number: number): ImportedMemory {
  const kind = kinds.find((one) => one === line.kind);
  const role = roles.find((one) => one === line.role);
  const sessionId = textOf(line.session_id);
  const occurredAt = textOf(line.occurred_at);
  const expiresAt = textOf(line.expires_at);
  const { tags, metadata } = line;
  return {
    content,
    external_id: textOf(line.external_id) ?? `import:${textOf(line.id) ?? `${number}:${content.slice(0, 60)}`}`,
    ...(kind && { kind }),
    ...(role && { role }),
    ...(Array.isArray(tags) && { tags: tags.map(String) }),
    ...(isRecord(metadata) && { metadata }),
    ...(sessionId && { session_id: sessionId }),
    ...(occurredAt && { occurred_at: occurredAt }),
    ...(expiresAt && { expires_at: expiresAt }),
    ...(line.pin === true && { pin: true }),
  };
}

function addFact(file: ImportFile, line: Line): string | undefined {
  const [subject, attribute, value] = [textOf(line.subject), textOf(line.attribute), textOf(line.value)];
  if (subject === undefined || attribute === undefined || value === undefined)
    return 'A fact needs `subject`, `attribute` and `value`, three texts.';
  const validFrom = textOf(line.valid_from);
  file.facts.push({ subject, attribute, value, ...(validFrom && { valid_from: validFrom }) });
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
