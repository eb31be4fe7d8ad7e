import type { Json, PatchOperation } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Binding, SectionRole } from '../documents/profile.js';

/** A document as a replay found it; if it does not exist, its initial state. */
export interface DocumentView {
  binding: Binding;
  place: DocumentPlace;
  /** 0 if it does not exist. */
  version: number;
  etag: string | null;
  body: Pick<DocumentBody, 'content'>;
}

/** A change to one section of a document that a replay proposes. */
export interface ProposedPatch {
  view: DocumentView;
  role: FactRole;
  ops: PatchOperation[];
  confidence: number;
  evidence: Json;
  suffix: PatchSuffix;
}

/**
 * Distinguishes several patches of one section: facts certain enough for every section, facts certain enough for all
 * sections but durable facts, and facts pending confirmation.
 */
export type PatchSuffix = '' | '-less-sure' | '-pending';

/** Sections that facts are written to. */
export type FactRole = Extract<SectionRole, 'preferences' | 'notes' | 'durable_facts'>;

export interface Home {
  view: DocumentView;
  role: FactRole;
  section: readonly string[];
}

/** The largest patch that can fit into a document once it has been compacted. */
export interface PatchRoom {
  entries: number;
  chars: number;
  operations: number;
}

/** The conversation that facts come from. */
export interface FactContext {
  conversationId: string;
  snapshotUri: string;
  /** Returns when the last of these messages was sent; now if they have no timestamps. Never later than now. */
  saidAt(messageIds: readonly string[]): Date;
}
