import { type Json, Problem } from '@memhall/core';
import { type CarriedMemory, derivedId } from '../../engine/cutover/carried-memory.js';
import type { Offered } from '../../engine/cutover/import-memories.js';
import { toMoment } from '../../http/moment.js';
import { pluginMemoryKinds, pluginMemorySources } from '../../ports/memory-plugin.js';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const moment = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

export function toEntry(memory: CarriedMemory): Record<string, unknown> {
  return {
    id: memory.id,
    content: memory.content,
    workspace_id: memory.workspaceId,
    scope: memory.scope,
    namespace: memory.namespace,
    kind: memory.kind,
    source: memory.source,
    pin: memory.isPinned,
    expires_at: memory.expiresAt?.toISOString(),
    propagation: memory.propagation,
    created_at: memory.createdAt?.toISOString(),
  };
}

/** Parses one entry of an import. A null field counts as absent. */
export function fromEntry(entry: object): Offered {
  try {
    const fields = new Fields(entry);
    const content = fields.text('content');
    if (content === undefined || !/\S/u.test(content)) throw fault('content', 'must be a string that is not blank');
    const memory = {
      content,
      workspaceId: fields.text('workspace_id'),
      scope: fields.text('scope'),
      namespace: fields.text('namespace'),
      kind: fields.choice('kind', pluginMemoryKinds),
      source: fields.choice('source', pluginMemorySources),
      isPinned: fields.boolean('pin'),
      expiresAt: fields.moment('expires_at'),
      propagation: fields.object('propagation'),
      createdAt: fields.moment('created_at'),
    };
    const id = fields.text('id')?.toLowerCase() ?? derivedId(memory);
    if (!uuid.test(id)) throw fault('id', 'must be a UUID');
    return { memory: { ...memory, id } };
  } catch (error) {
    if (error instanceof Problem) return { fault: error.message };
    throw error;
  }
}

class Fields {
  readonly #entry: Record<string, unknown>;

  constructor(entry: object) {
    this.#entry = entry as Record<string, unknown>;
  }

  text(name: string): string | undefined {
    return this.#read(name, 'must be a string', (value) => typeof value === 'string') as string | undefined;
  }

  boolean(name: string): boolean | undefined {
    return this.#read(name, 'must be true or false', (value) => typeof value === 'boolean') as boolean | undefined;
  }

  object(name: string): Json | undefined {
    const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
    return this.#read(name, 'must be an object', isObject) as Json | undefined;
  }

  choice<const C extends string>(name: string, choices: readonly C[]): C | undefined {
    const known = (value: unknown) => choices.some((choice) => choice === value);
    return this.#read(name, `must be one of ${choices.join(', ')}`, known) as C | undefined;
  }

  moment(name: string): Date | undefined {
    const isMoment = (value: unknown) => typeof value === 'string' && moment.test(value);
    return toMoment(name, this.#read(name, 'must be an RFC 3339 timestamp', isMoment) as string | undefined);
  }

  #read(name: string, rule: string, test: (value: unknown) => boolean): unknown {
    const value = this.#entry[name] ?? undefined;
    if (value !== undefined && !test(value)) throw fault(name, rule);
    return value;
  }
}

function fault(name: string, rule: string): Problem {
  return new Problem('INVALID_REQUEST', `"${name}" ${rule}.`);
}
