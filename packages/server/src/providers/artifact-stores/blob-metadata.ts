import { createHash } from 'node:crypto';
import type { Metadata } from '@azure/storage-blob';
import type { ArtifactFacts, StoredContent } from '../../ports/artifact-store.js';

/** Names must be valid identifiers; the service does not distinguish their case. */
export function toMetadata({ text, facts }: StoredContent): Metadata {
  if (facts === null) return {};
  return {
    sha256: hashOf(text),
    version: String(facts.version),
    etag: facts.etag,
    size_chars: String(facts.sizeChars),
    occurred_at: facts.occurredAt.toISOString(),
    created_at: facts.createdAt.toISOString(),
    updated_at: facts.updatedAt.toISOString(),
  };
}

/** Returns null if the hash does not match the text: some tools keep the metadata when they save an edited blob. */
export function readFacts(text: string, metadata: Metadata = {}): ArtifactFacts | null {
  const { sha256, version, etag, size_chars, occurred_at, created_at, updated_at } = metadata;
  if (sha256 !== hashOf(text)) return null;
  const facts = {
    version: Number(version),
    etag: etag ?? '',
    sizeChars: Number(size_chars),
    occurredAt: new Date(occurred_at ?? ''),
    createdAt: new Date(created_at ?? ''),
    updatedAt: new Date(updated_at ?? ''),
  };
  const numbers = [facts.version, facts.sizeChars, +facts.occurredAt, +facts.createdAt, +facts.updatedAt];
  return facts.etag !== '' && numbers.every(Number.isInteger) ? facts : null;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
