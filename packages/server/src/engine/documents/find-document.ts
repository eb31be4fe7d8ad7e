import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { fromArtifact, type GovernedDocument } from './governed-document.js';
import type { Binding } from './profile.js';

export interface FoundDocument {
  /** What is at the place itself. */
  stored: GovernedDocument | undefined;
  /** What a reader of the place sees: the same, or what is still at an older place. */
  document: GovernedDocument | undefined;
  migratedFrom: string | null;
}

/** `stored` has been read already. Only where there is nothing are the binding's older places looked at, in their order. */
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

/** Where a document was kept before, in the order they are to be looked at. None if the path is not one of the binding's. */
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
