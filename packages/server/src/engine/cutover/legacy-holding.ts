import { type OptionalLabel, redact } from '@memhall/core';
import type { LegacyMemories, LegacyMemory } from '../../ports/legacy-memories.js';
import { legacyScopes, mapNamespace, RowFault } from '../backfill/map-namespace.js';
import type { Caller } from '../caller.js';
import { hashOf } from '../memories/new-memory.js';
import { originOf } from '../plugin/legacy-origin.js';
import type { CarriedMemory } from './carried-memory.js';
import type { BroughtIn, CarriedPage, CarriedQuery, Entrance, MemoryHolding } from './memory-holding.js';

type LegacyRow = Omit<LegacyMemory, 'sizeBytes' | 'content'> & { content: string };

const scopeOfPrefix: Record<string, string> = { workspace: 'LOCAL', team: 'TEAM', org: 'GLOBAL' };

/** The older store, used before the cutover. */
export class LegacyHolding implements MemoryHolding {
  readonly name = 'legacy';
  readonly positionParts = 1;
  readonly tenantId: string;
  readonly #open: () => Promise<LegacyMemories>;

  constructor(open: () => Promise<LegacyMemories>, tenantId: string) {
    this.#open = open;
    this.tenantId = tenantId;
  }

  async page(_caller: Caller, { position, limit }: CarriedQuery): Promise<CarriedPage> {
    const legacy = await this.#open();
    const rows = await legacy.page({}, { after: position?.[0], limit });
    const last = rows.at(-1);
    return {
      memories: rows.flatMap(toCarried),
      position: rows.length < limit || last === undefined ? undefined : [last.id],
    };
  }

  async entrance(): Promise<Entrance> {
    const legacy = await this.#open();
    return { bringIn: (memory, also) => bringIn(legacy, memory, also) };
  }
}

async function bringIn(
  legacy: LegacyMemories,
  memory: CarriedMemory,
  also: readonly OptionalLabel[],
): Promise<BroughtIn> {
  const { text, found } = redact(memory.content.normalize('NFC'), also);
  const row = { ...(await toRow(legacy, memory)), content: text };
  const inserted = await legacy.insert(row);
  if (!inserted) return { outcome: 'skipped', found: {}, record: null };
  return { outcome: 'imported', found, record: { target: `legacy/${row.id}`, contentHash: hashOf(text) } };
}

/** Skips rows that are too large to read, as the backfill does. */
function toCarried({ id, workspaceId, content, scope, label, createdAt }: LegacyMemory): CarriedMemory[] {
  if (content === null) return [];
  return [
    {
      ...{ id, content, workspaceId, scope },
      ...(label === null ? {} : { namespace: label }),
      ...(createdAt === null ? {} : { createdAt }),
    },
  ];
}

async function toRow(legacy: LegacyMemories, memory: CarriedMemory): Promise<LegacyRow> {
  const { id, content, namespace, workspaceId, scope, createdAt } = memory;
  if (scope !== undefined) {
    if (!legacyScopes.some((known) => known === scope))
      throw new RowFault(`has a scope other than ${legacyScopes.join(', ')}`);
    return {
      id,
      content,
      scope,
      workspaceId: workspaceId ?? '',
      label: namespace ?? null,
      createdAt: createdAt ?? null,
    };
  }
  return {
    id,
    content,
    createdAt: createdAt ?? null,
    ...(originOf(memory.propagation) ?? (await mappedBack(legacy, namespace ?? ''))),
  };
}

/** Returns the workspace whose rows would be mapped to this namespace. */
async function mappedBack(
  legacy: LegacyMemories,
  name: string,
): Promise<{ workspaceId: string; scope: string; label: null }> {
  const at = name.indexOf(':');
  const scope = scopeOfPrefix[name.slice(0, at)];
  const workspaceId = name.slice(at + 1);
  if (scope !== undefined) {
    const chain = (await legacy.chains([workspaceId])).get(workspaceId);
    if (chain !== undefined && mapNamespace({ scope, workspaceId }, chain).name === name) {
      return { workspaceId, scope, label: null };
    }
  }
  throw new RowFault('is in a namespace that belongs to no workspace of the older store');
}
