import type { Json, PatchOperation } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Binding, SectionRole } from '../documents/profile.js';

/** A document as a replay found it; where there is none, as it would begin. */
export interface DocumentView {
  binding: Binding;
  place: DocumentPlace;
  /** 0: there is none. */
  version: number;
  etag: string | null;
  body: Pick<DocumentBody, 'content'>;
}

/** A change of one document that a replay proposes. */
export interface ProposedPatch {
  view: DocumentView;
  ops: PatchOperation[];
  confidence: number;
  evidence: Json;
  suffix: PatchSuffix;
}

/**
 * Tells apart several patches of one document: what is sure enough for every section; what is sure enough for all but
 * durable facts; what is to wait for confirmation.
 */
export type PatchSuffix = '' | '-less-sure' | '-pending';

/** Sections that facts are written to. */
export type FactRole = Extract<SectionRole, 'preferences' | 'notes' | 'durable_facts'>;

export interface Home {
  view: DocumentView;
  role: FactRole;
  section: readonly string[];
}

/** The conversation that facts come from. */
export interface FactContext {
  conversationId: string;
  snapshotUri: string;
  /** When the last of these messages was said; now, where they do not tell. Never later than now. */
  saidAt(messageIds: readonly string[]): Date;
}
