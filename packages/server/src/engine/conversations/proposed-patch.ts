import type { Json, PatchOperation } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { DocumentBody } from '../documents/governed-document.js';
import type { Binding } from '../documents/profile.js';

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
  /** How many facts it brings in. */
  facts: number;
  /** Tells apart several patches of one document. */
  suffix: '' | '-pending';
}
