import { scopeOf } from '../caller.js';
import { fromArtifact } from '../documents/governed-document.js';
import type { Engine } from '../engine.js';
import type { Member } from '../one-memory/member.js';
import type { ExportPart } from './export-part.js';

const pageSize = 100;

/** The documents of the user, each as it is now. They can be large, so each is read by itself. */
export async function* exportDocuments(engine: Engine, member: Member): AsyncGenerator<ExportPart[]> {
  const scope = scopeOf(member);
  for (let after: readonly [string, string] | undefined; ; ) {
    const page = { limit: pageSize, ...(after === undefined ? {} : { after }) };
    const listed = await engine.store.read(scope, (tables) => tables.artifacts.list('document', page));
    for (const { folder, name } of listed) {
      const found = await engine.store.read(scope, (tables) =>
        tables.artifacts.get({ kind: 'document', folder, name }),
      );
      if (found !== undefined) yield [{ type: 'document', document: fromArtifact(found) }];
      after = [folder, name];
    }
    if (listed.length < pageSize) return;
  }
}
