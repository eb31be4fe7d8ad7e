import { describeOrigin } from '../engine/one-memory/describe-origin.js';
import type { Member } from '../engine/one-memory/member.js';
import { isOwn } from '../engine/one-memory/reading.js';
import type { AnyRecalled } from '../engine/one-memory/recall-any.js';
import { sayTruth } from '../engine/one-memory/say-truth.js';
import type { Memory } from '../ports/memories.js';
import type { SurfaceName } from '../ports/memory-origin.js';
import { type Screen, toTable } from './table.js';
import { toLine } from './text-width.js';

const surfaces: Readonly<Record<SurfaceName, string>> = {
  api: 'HTTP API',
  library: 'library',
  cli: 'command line',
  memory_service: 'memory service',
  gateway: 'conversation',
  documents: 'document',
  plugin: 'plugin',
  mcp: 'MCP',
  provider: 'notes',
  files: 'file',
  import: 'import',
};

const parts = {
  lexical: 'words',
  dense: 'meaning',
  context: 'context',
  speaker: 'speaker',
  time: 'time',
  hint: 'hint',
  pin: 'pin',
  recency: 'recency',
  truth: 'facts',
  rerank: 'reranker',
} as const;

export function sayDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export function saySurface(surface: SurfaceName): string {
  return surfaces[surface];
}

/** Returns in a few words who wrote a memory and where it is from: "you, HTTP API". */
export function labelOrigin(member: Member, memory: Memory): string {
  const { surface, author, role, namespace, document, resource, tier } = describeOrigin(memory);
  const isTheirs = author === member.userId || (author === '' && isOwn(member, memory));
  const who =
    role === 'assistant' || role === 'tool' || role === 'system' ? role : isTheirs ? 'you' : author || 'unknown';
  const place =
    (tier && `notes ${tier.owner} ${tier.label}`) ??
    (resource && `file ${resource.title ?? resource.resourceId}`) ??
    (document && `document ${document.path}`) ??
    (namespace === undefined || namespace === member.grants[0]?.name ? undefined : namespace) ??
    surfaces[surface];
  return toLine(`${who}, ${memory.partition.kind === 'public' ? 'public' : place}`);
}

export function toMemoryTable(member: Member, memories: readonly Memory[], screen: Screen): string {
  const rows = memories.map((memory) => {
    const { id, occurredAt, kind, content } = memory;
    return { id, cells: [sayDate(occurredAt), toLine(kind), labelOrigin(member, memory), toLine(content)] };
  });
  return toTable(['DATE', 'KIND', 'FROM', 'TEXT'], rows, screen);
}

export function toResultTable(member: Member, found: readonly AnyRecalled[], screen: Screen): string {
  const rows = found.map((one) => {
    const { memory, score } = one;
    const cells = [score.toFixed(2), sayDate(memory.occurredAt), labelOrigin(member, memory), toLine(memory.content)];
    return { id: memory.id, cells, notes: [sayTruth(one.truth) ?? [], explain(one)].flat() };
  });
  return toTable(['SCORE', 'DATE', 'FROM', 'TEXT'], rows, screen);
}

/** Returns no lines unless the recall was asked to explain. */
function explain({ explanation, also }: AnyRecalled): string[] {
  if (explanation === undefined) return [];
  const added = Object.entries(parts)
    .map(([name, word]) => ({ word, value: explanation[name as keyof typeof parts] ?? 0 }))
    .filter(({ value }) => Math.abs(value) >= 0.005)
    .map(({ word, value }) => `${word} ${value > 0 ? '+' : ''}${value.toFixed(2)}`);
  const copies = also.map(({ id, reason }) => `also stored as ${id}: ${reason}`);
  return [`why: ${added.join(', ') || 'no part added anything'}`, ...copies];
}
