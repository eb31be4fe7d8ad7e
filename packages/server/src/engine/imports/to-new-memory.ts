import { createHash } from 'node:crypto';
import type { Json } from '@memhall/core';
import type { ForeignMemory, ForeignSource } from '../../ports/foreign-memories.js';
import type { NewMemory } from '../memories/new-memory.js';
import type { Visibility } from '../memories/scope-partitions.js';
import type { Member } from '../one-memory/member.js';

const mostDetailCharacters = 16_000;
const longestKey = 256;
const mostTags = 20;

/** Member of the metadata of an imported memory that says where it comes from. */
const importedMember = 'imported';

/** Returns the external id of what another tool remembered: the same however often it is imported. */
function foreignKey(source: ForeignSource, id: string): string {
  const key = `${source}:${id.normalize('NFC')}`;
  const isPlain = key.length <= longestKey && !/\p{Cc}/u.test(key) && key.isWellFormed();
  return isPlain ? key : `${source}:sha256:${createHash('sha256').update(id).digest('hex')}`;
}

/**
 * Returns a memory of another tool as it is stored. Names of people there are not users here, so the author is named with the tool:
 * `mem0:alice`. Only what has the role `user` is in the importing user's own words.
 */
export function toNewMemory(
  member: Member,
  source: ForeignSource,
  visibility: Visibility,
  foreign: ForeignMemory,
): NewMemory & { externalId: string } {
  const { id, kind, text, occurredAt, role, author, session, tags = [], details } = foreign;
  const writer = role === 'user' ? member.userId : author === undefined ? source : `${source}:${author}`;
  const content = text.normalize('NFC');
  const given = { kind, content, occurredAt: occurredAt?.toISOString(), role, author, session, tags, details };
  const digest = createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 32);
  const imported = { from: source, id, digest, ...(author === undefined ? {} : { author }), ...keptDetails(details) };
  return {
    ...{ content, kind, visibility, role, occurredAt, externalId: foreignKey(source, id), uniqueContent: false },
    source,
    sessionId: session === undefined ? undefined : foreignKey(source, session),
    tags: [...new Set([source, ...tags.map((tag) => tag.slice(0, 128).toWellFormed())])].slice(0, mostTags),
    metadata: { [importedMember]: imported as { [name: string]: Json } },
    derivedFrom: { surface: 'import', author: writer, trust: 'external' },
  };
}

/** Returns what the tool knew when a memory was imported; undefined for memories that were not. */
export function digestOfImport(metadata: { readonly [name: string]: Json }): string | undefined {
  const imported = metadata[importedMember];
  if (typeof imported !== 'object' || imported === null || Array.isArray(imported)) return undefined;
  return typeof imported.digest === 'string' ? imported.digest : undefined;
}

/** Details that are too large are left out: they would not be found by anything. */
function keptDetails(details: ForeignMemory['details']): object {
  if (details === undefined || Object.keys(details).length === 0) return {};
  return JSON.stringify(details).length > mostDetailCharacters ? { details_left_out: true } : { details };
}
