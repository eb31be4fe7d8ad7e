import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { documentThen } from './document-then.js';
import { fromArtifact, type GovernedDocument } from './governed-document.js';
import type { Binding } from './profile.js';

export interface FoundDocument {
  /** The document at the place itself. */
  stored: GovernedDocument | undefined;
  /** The document that a reader of the place sees: `stored`, or else the one that is still at an older place. */
  document: GovernedDocument | undefined;
  migratedFrom: string | null;
}

/** `stored` was already read from the place. If it is missing, the binding's older places are checked in order. */
export async function findDocument(
  tables: Tables,
  binding: Pick<Binding, 'template' | 'legacyTemplates'>,
  place: DocumentPlace,
  stored: Artifact<'document'> | undefined,
): Promise<FoundDocument> {
  if (stored !== undefined) {
    const document = fromArtifact(stored);
    return { stored: document, document, migratedFrom: null };
  }
  for (const legacy of legacyPlaces(binding, place)) {
    const older = await tables.artifacts.get({ kind: 'document', folder: legacy.namespace, name: legacy.path });
    if (older !== undefined) {
      const migratedFrom = `${legacy.namespace}/${legacy.path}`;
      return { stored: undefined, document: { ...fromArtifact(older), ...place }, migratedFrom };
    }
  }
  return { stored: undefined, document: undefined, migratedFrom: null };
}

/** Returns the document that a reader of the place saw at a moment. */
export async function findDocumentAt(
  tables: Tables,
  binding: Pick<Binding, 'template' | 'legacyTemplates'>,
  place: DocumentPlace,
  at: Date,
): Promise<Pick<FoundDocument, 'document' | 'migratedFrom'>> {
  for (const one of [place, ...legacyPlaces(binding, place)]) {
    const state = await documentThen(tables, one, at);
    if (state === undefined) continue;
    const migratedFrom = one === place ? null : `${one.namespace}/${one.path}`;
    return { document: { version: state.version, etag: state.etag, body: state.body, ...place }, migratedFrom };
  }
  return { document: undefined, migratedFrom: null };
}

/** Returns the older places of a document, in the order to check them. Empty if the path does not match the binding. */
export function legacyPlaces(
  { template, legacyTemplates }: Pick<Binding, 'template' | 'legacyTemplates'>,
  { path }: DocumentPlace,
): DocumentPlace[] {
  const variables = template.match(path);
  if (variables === undefined) return [];
  return legacyTemplates.flatMap((legacy) => {
    const older = legacy.template.fill(variables);
    return older === undefined ? [] : [{ namespace: legacy.namespace, path: older }];
  });
}
