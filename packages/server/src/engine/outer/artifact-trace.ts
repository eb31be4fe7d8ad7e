import type { Artifact, ArtifactKey, Artifacts } from '../../ports/artifacts.js';
import type { IdempotencyRecord } from '../../ports/idempotency-keys.js';
import { overrideTables } from '../../ports/override-tables.js';
import type { QuarantinedText } from '../../ports/quarantine.js';
import type { Replay } from '../../ports/replays.js';
import type { Tables } from '../../ports/store.js';
import type { TenantKey } from '../../ports/tenant-keys.js';

/** What a transaction does to an artifact, and the tag the artifact had in the outer store before. */
export type ArtifactChange = { key: ArtifactKey; tag: string | null; put: Artifact | null };

/** Rows that a change of artifacts brings along and that do not follow from the artifacts. */
export interface Companions {
  idempotency: IdempotencyRecord[];
  replays: Replay[];
  tenantKeys: TenantKey[];
  quarantine: QuarantineChange[];
}

/** What becomes of a text in quarantine; null: it is removed. */
export interface QuarantineChange {
  id: string;
  put: QuarantinedText | null;
}

/**
 * Tables that take note of the artifacts a transaction uses. Documents it read must still be what the outer store holds;
 * what it changed has to be changed there as well.
 */
export class ArtifactTrace {
  readonly tables: Tables;
  /** The outer store has the change: it will be made, whatever becomes of the transaction. */
  isDecided = false;
  readonly companions: Companions = { idempotency: [], replays: [], tenantKeys: [], quarantine: [] };
  readonly #seen = new Map<string, { key: ArtifactKey; tag: string | null }>();
  readonly #changes = new Map<string, { key: ArtifactKey; tag: Promise<string | null>; put: Artifact | null }>();

  constructor(tables: Tables) {
    this.tables = overrideTables(tables, {
      artifacts: this.#traced(tables.artifacts),
      idempotencyKeys: {
        ...tables.idempotencyKeys,
        put: (record) => {
          this.companions.idempotency.push(record);
          tables.idempotencyKeys.put(record);
        },
      },
      replays: {
        ...tables.replays,
        put: (replay) => {
          this.companions.replays.push(replay);
          tables.replays.put(replay);
        },
      },
      quarantine: {
        ...tables.quarantine,
        put: (text) => {
          this.companions.quarantine.push({ id: text.id, put: text });
          tables.quarantine.put(text);
        },
        delete: (id) => {
          this.companions.quarantine.push({ id, put: null });
          tables.quarantine.delete(id);
        },
      },
      tenantKeys: {
        ...tables.tenantKeys,
        add: (key) => {
          this.companions.tenantKeys.push(key);
          tables.tenantKeys.add(key);
        },
      },
    });
  }

  /** Documents as they were read before any change, with the tag that is known of each; null: none. */
  get seen(): { key: ArtifactKey; tag: string | null }[] {
    return [...this.#seen.values()];
  }

  changes(): Promise<ArtifactChange[]> {
    return Promise.all([...this.#changes.values()].map(async ({ key, tag, put }) => ({ key, put, tag: await tag })));
  }

  /** Whether there is anything that the outer store has to have as well. */
  get hasChanges(): boolean {
    return this.#changes.size > 0 || this.companions.quarantine.length > 0;
  }

  #traced(artifacts: Artifacts): Artifacts {
    return {
      ...artifacts,
      get: async (key) => {
        const found = await artifacts.get(key);
        this.#see(key, found);
        return found;
      },
      getMany: async (kind, folder, names) => {
        const found = await artifacts.getMany(kind, folder, names);
        const byName = new Map(found.map((artifact) => [artifact.name, artifact]));
        for (const name of names) this.#see({ kind, folder, name }, byName.get(name));
        return found;
      },
      put: (artifact) => {
        this.#change(artifacts, artifact, artifact);
        artifacts.put(artifact);
      },
      delete: (key) => {
        this.#change(artifacts, key, null);
        artifacts.delete(key);
      },
      setOuterTag: ({ kind, folder, name }, tag) => {
        const key = { kind, folder, name };
        this.#seen.set(idOf(key), { key, tag });
        artifacts.setOuterTag(key, tag);
      },
    };
  }

  #see({ kind, folder, name }: ArtifactKey, found: Pick<Artifact, 'outerTag'> | undefined): void {
    const id = idOf({ kind, folder, name });
    if (kind !== 'document' || this.#seen.has(id) || this.#changes.has(id)) return;
    this.#seen.set(id, { key: { kind, folder, name }, tag: found?.outerTag ?? null });
  }

  /** The tag is asked for ahead of the first change, in the same flight. */
  #change(artifacts: Artifacts, { kind, folder, name }: ArtifactKey, put: Artifact | null): void {
    const key = { kind, folder, name };
    const id = idOf(key);
    const noted = this.#seen.get(id);
    const tag =
      this.#changes.get(id)?.tag ?? (noted === undefined ? artifacts.outerTag(key) : Promise.resolve(noted.tag));
    tag.catch(() => undefined);
    this.#changes.set(id, { key, tag, put });
  }
}

function idOf({ kind, folder, name }: ArtifactKey): string {
  return `${kind}\n${folder}\n${name}`;
}
