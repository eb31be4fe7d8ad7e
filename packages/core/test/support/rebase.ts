import { applyPatch } from '../../src/apply-patch.js';
import type { Json } from '../../src/json.js';
import type { PatchOperation } from '../../src/json-patch.js';
import { rebasePatch } from '../../src/rebase-patch.js';
import { freezeDeeply } from './arbitrary-patch.js';

/** Rebases the patch and applies it to the latest document. Throws on a conflict. */
export function rebase(base: Json, latest: Json, ...ops: PatchOperation[]): Json {
  const outcome = rebasePatch({ base: freezeDeeply(base), latest: freezeDeeply(latest), ops: freezeDeeply(ops) });
  if ('conflict' in outcome) throw new Error(`Conflict: ${JSON.stringify(outcome.conflict)}`);
  return applyPatch(latest, outcome.ops);
}
