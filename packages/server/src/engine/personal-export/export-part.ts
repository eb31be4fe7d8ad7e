import type { Memory } from '../../ports/memories.js';
import type { Resource } from '../../ports/resources.js';
import type { GovernedDocument } from '../documents/governed-document.js';
import type { SeenFact } from '../facts/read-facts.js';

export const exportFormats = ['jsonl', 'markdown'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Where a memory belongs among what a person reads. */
export type ExportSection = 'remembered' | 'notes' | 'conversations' | 'files';

export type ExportCounts = Record<'facts' | 'memories' | 'documents' | 'files', number>;

/** A piece of an export, in this order: facts, what was remembered, notes, documents, conversations, files with their pieces. */
export type ExportPart =
  | { type: 'begin'; at: Date }
  | ({ type: 'fact' } & SeenFact)
  | { type: 'memory'; section: ExportSection; memory: Memory }
  | { type: 'document'; document: GovernedDocument }
  | { type: 'file'; resource: Resource }
  /** An export without it was cut off. */
  | { type: 'end'; counts: ExportCounts };
