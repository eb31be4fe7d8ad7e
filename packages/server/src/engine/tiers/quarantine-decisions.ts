import { Problem } from '@memhall/core';
import { workspaceOwner } from '../../ports/owners.js';
import type { QuarantinedText } from '../../ports/quarantine.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import { checkTextTask } from '../check-text.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { readLong } from '../read-long.js';
import { toLines } from '../text-lines.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';
import { lowestTrust } from '../trust.js';
import { placeholderOf } from './screen-tier.js';
import { prepareTierIndex } from './tier-index.js';
import { fromTierPath, type TierPlace } from './tier-place.js';
import { readTierState } from './tier-state.js';
import { writeTier } from './write-tier.js';

/** A quarantined text as operators may see it: without the text. */
export interface QuarantineEntry extends Omit<QuarantinedText, 'text'>, Pick<TierPlace, 'owner' | 'label'> {}

interface QuarantineList {
  /** If missing, all workspaces of the tenant are listed. */
  workspaceId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Lists the quarantined texts of tiers, oldest first, without the texts themselves. */
export async function listQuarantined(
  engine: Engine,
  tenantId: string,
  { workspaceId, limit, cursor }: QuarantineList,
): Promise<Page<QuarantineEntry>> {
  const position = decodeTimeCursor(cursor);
  const after = position && { createdAt: position.at, id: position.id };
  const userId = workspaceId && workspaceOwner(workspaceId);
  const rows = await engine.store.inspect(tenantId, (tables) =>
    tables.quarantine.list({ userId, after, limit: limit + 1 }),
  );
  return toPage(rows.map(toEntry), limit, ({ createdAt, id }) => timePosition(createdAt, id));
}

/** Returns an entry with its text and records the access in the audit log. Throws NOT_FOUND. */
export async function showQuarantined(
  engine: Engine,
  caller: Caller,
  id: string,
): Promise<QuarantineEntry & Pick<QuarantinedText, 'text'> & { offset: number | undefined }> {
  const found = await findQuarantined(engine, caller, id);
  await mutate(engine, { ...caller, userId: found.userId }, async () => ({
    result: undefined,
    mutations: [mutationOf(found, found.contentHash)],
  }));
  const { text } = found;
  const given = { text: '', scanned: [text], also: [] };
  const { verdict } = await readLong(engine, checkTextTask, given, text.length);
  return { ...toEntry(found), text, offset: verdict?.offset };
}

/**
 * Puts a text back in place of its placeholder, and lets it pass the scanner in this tier from now on. If the tier's document is
 * gone, the text becomes its content again. Throws NOT_FOUND, or CONFLICT if the placeholder is gone.
 */
export async function releaseQuarantined(engine: Engine, caller: Caller, id: string): Promise<QuarantineEntry> {
  const found = await findQuarantined(engine, caller, id);
  const place = placeOf(found);
  if (found.status === 'released') return toEntry(found);
  // An administrator who releases a text does not vouch for what it says.
  const owner = { ...caller, userId: found.userId, maxTrust: lowestTrust('agent', caller.maxTrust) };
  const { artifact, text: present, pieces } = await readTierState(engine, owner, place);
  const draft = (before: string) => (artifact === undefined ? found.text : putBack(found, before));
  const prepared = await prepareTierIndex(engine, owner, place, { known: pieces, text: draft(present) });
  const index = { ...prepared, writtenBy: found.origin.updatedBy };
  const released: QuarantinedText = { ...found, status: 'released', updatedAt: engine.clock.now() };
  await writeTier(engine, owner, {
    place,
    reason: 'live_update',
    precondition: artifact === undefined ? { kind: 'absent' } : { kind: 'none' },
    index,
    draft,
    // What is around it was scanned with a placeholder in between.
    isScreened: false,
    alongside: (tables) => tables.quarantine.put(released),
  });
  return toEntry(released);
}

/** Permanently removes a text; its placeholder stays. Throws NOT_FOUND, or CONFLICT if the text was released. */
export async function deleteQuarantined(engine: Engine, caller: Caller, id: string): Promise<void> {
  const found = await findQuarantined(engine, caller, id);
  await mutate(engine, { ...caller, userId: found.userId }, async (tables) => {
    const present = await tables.quarantine.get(id);
    if (present === undefined) throw missing(id);
    if (present.status === 'released') {
      throw new Problem(
        'CONFLICT',
        'The text was released and can be read again: change or forget the text of its tier instead.',
      );
    }
    tables.quarantine.delete(id);
    return { result: undefined, mutations: [mutationOf(found, null)] };
  });
}

async function findQuarantined(engine: Engine, { tenantId }: Caller, id: string): Promise<QuarantinedText> {
  const found = await engine.store.inspect(tenantId, (tables) => tables.quarantine.find(id));
  if (found === undefined) throw missing(id);
  return found;
}

function toEntry({ text: _, ...rest }: QuarantinedText): QuarantineEntry {
  const { owner, label } = placeOf(rest);
  return { ...rest, owner, label };
}

function placeOf({ path }: Pick<QuarantinedText, 'path'>): TierPlace {
  const place = fromTierPath(path);
  if (place === undefined) throw new Error('a quarantined text does not belong to a tier');
  return place;
}

function putBack(found: QuarantinedText, before: string): string {
  const placeholder = placeholderOf(found);
  const lines = toLines(before);
  if (!lines.includes(placeholder)) {
    throw new Problem(
      'CONFLICT',
      'The tier was rewritten and no longer has the placeholder, so the text cannot be put back.',
    );
  }
  return lines.map((line) => (line === placeholder ? found.text : line)).join('\n');
}

function mutationOf({ id }: QuarantinedText, contentHash: string | null) {
  return { target: `quarantine/${id}`, preEtag: null, postEtag: null, contentHash };
}

function missing(id: string): Problem {
  return new Problem('NOT_FOUND', `There is nothing in quarantine under ${id}.`);
}
