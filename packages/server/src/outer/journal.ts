import type { Json } from '@memhall/core';
import type { StoredKey } from '../ports/artifact-store.js';
import { type Artifact, type ArtifactKey, assembleArtifact } from '../ports/artifacts.js';
import { type CompanionsText, fromCompanionsText, toCompanionsText } from './companion-text.js';
import type { ArtifactChange, Companions } from './traced-tables.js';

/** The last change of a user's artifacts, with everything needed to make it again. It is decided once it is in the outer store. */
export interface JournalEntry {
  changeId: string;
  at: Date;
  records: readonly string[];
  changes: readonly ArtifactChange[];
  companions: Companions;
}

export const journalKey: StoredKey = { kind: 'journal', folder: '', name: 'last-change' };

interface JournalText {
  change_id: string;
  at: string;
  records: string[];
  changes: { kind: ArtifactKey['kind']; folder: string; name: string; tag: string | null; put: PutText | null }[];
  companions: CompanionsText;
}

interface PutText {
  version: number;
  etag: string;
  size_chars: number;
  occurred_at: string;
  created_at: string;
  updated_at: string;
  body: { [key: string]: Json };
}

export function toJournalText({ changeId, at, records, changes, companions }: JournalEntry): string {
  const text: JournalText = {
    change_id: changeId,
    at: at.toISOString(),
    records: [...records],
    changes: changes.map(({ key, tag, put }) => ({ ...key, tag, put: put && toPutText(put) })),
    companions: toCompanionsText(companions),
  };
  return JSON.stringify(text);
}

export function parseJournal(text: string): JournalEntry {
  const { change_id, at, records, changes, companions } = JSON.parse(text) as JournalText;
  return {
    changeId: change_id,
    at: new Date(at),
    records,
    changes: changes.map(({ kind, folder, name, tag, put }) => ({
      key: { kind, folder, name },
      tag,
      put: put && fromPutText({ kind, folder, name }, put),
    })),
    companions: fromCompanionsText(companions),
  };
}

function toPutText(artifact: Artifact): PutText {
  return {
    version: artifact.version,
    etag: artifact.etag,
    size_chars: artifact.sizeChars,
    occurred_at: artifact.occurredAt.toISOString(),
    created_at: artifact.createdAt.toISOString(),
    updated_at: artifact.updatedAt.toISOString(),
    body: artifact.body,
  };
}

function fromPutText(key: ArtifactKey, put: PutText): Artifact {
  const summary = {
    ...key,
    version: put.version,
    etag: put.etag,
    sizeChars: put.size_chars,
    occurredAt: new Date(put.occurred_at),
    createdAt: new Date(put.created_at),
    updatedAt: new Date(put.updated_at),
  };
  return assembleArtifact(summary, put.body, null);
}
