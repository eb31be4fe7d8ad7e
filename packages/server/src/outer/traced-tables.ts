import type { Artifact, ArtifactKey, Artifacts } from '../ports/artifacts.js';
import type { IdempotencyRecord } from '../ports/idempotency-keys.js';
import { overrideTables } from '../ports/override-tables.js';
import type { QuarantinedText } from '../ports/quarantine.js';
import type { Replay } from '../ports/replays.js';
import type { Resource } from '../ports/resources.js';
import type { Tables } from '../ports/store.js';
import type { TenantKey } from '../ports/tenant-keys.js';

/** What a transaction does to an artifact, and the tag the artifact had in the outer store before. */
export type ArtifactChange = { key: ArtifactKey; tag: string | null; put: Artifact | null };

/** Rows that are written with a change of artifacts and cannot be derived from the artifacts. */
export interface Companions {
  idempotency: IdempotencyRecord[];
  replays: Replay[];
  tenantKeys: TenantKey[];
  quarantine: QuarantineChange[];
}

/** A change of a quarantined text; null removes it. */
export interface QuarantineChange {
  id: string;
  put: QuarantinedText | null;
}

/**
 * The tables of a transaction, and a record of what it used. Documents that it read must still be what the outer store
 * holds. Everything in the outer store that it changed must be changed there as well.
 */
export class TracedTables {
  readonly tables: Tables;
  /** True once the outer store has the change: it will be made, even if this transaction fails. */
  isDecided = false;
  readonly records: string[] = [];
  readonly companions: Companions = { idempotency: [], replays: [], tenantKeys: [], quarantine: [] };
  readonly insertedResources: Resource[] = [];
  readonly deletedResources: string[] = [];
  readonly #seen = new Map<string, { key: ArtifactKey; tag: string | null }>();
  readonly #changes = new Map<string, { key: ArtifactKey; tag: Promise<string | null>; put: Artifact | null }>();

  constructor(tables: Tables) {
    this.tables = overrideTables(tables, {
      artifacts: this.#traceArtifacts(tables.artifacts),
      audit: {
        ...tables.audit,
        append: (records) => {
          this.records.push(...records);
          tables.audit.append(records);
        },
      },
      resources: {
        ...tables.resources,
        insert: (resource) => {
          this.insertedResources.push(resource);
          tables.resources.insert(resource);
        },
        delete: (resourceId) => {
          this.deletedResources.push(resourceId);
          tables.resources.delete(resourceId);
        },
      },
      ...this.#traceCompanions(tables),
    });
  }

  /** Documents as they were read before any change, with the tag of each row; null if it has none. */
  get seen(): { key: ArtifactKey; tag: string | null }[] {
    return [...this.#seen.values()];
  }

  changes(): Promise<ArtifactChange[]> {
    return Promise.all([...this.#changes.values()].map(async ({ key, tag, put }) => ({ key, put, tag: await tag })));
  }

  /** Whether the change needs an entry in the journal. */
  get hasChanges(): boolean {
    return this.#changes.size > 0 || this.companions.quarantine.length > 0;
  }

  get hasFiles(): boolean {
    return this.insertedResources.length > 0 || this.deletedResources.length > 0;
  }

  #traceCompanions({ idempotencyKeys, replays, quarantine, tenantKeys }: Tables): Partial<Tables> {
    return {
      idempotencyKeys: {
        ...idempotencyKeys,
        put: (record) => {
          this.companions.idempotency.push(record);
          idempotencyKeys.put(record);
        },
      },
      replays: {
        ...replays,
        put: (replay) => {
          this.companions.replays.push(replay);
          replays.put(replay);
        },
      },
      quarantine: {
        ...quarantine,
        put: (text) => {
          this.companions.quarantine.push({ id: text.id, put: text });
          quarantine.put(text);
        },
        delete: (id) => {
          this.companions.quarantine.push({ id, put: null });
          quarantine.delete(id);
        },
      },
      tenantKeys: {
        ...tenantKeys,
        add: (key) => {
          this.companions.tenantKeys.push(key);
          tenantKeys.add(key);
        },
      },
    };
  }

  #traceArtifacts(artifacts: Artifacts): Artifacts {
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
      put: (artifact, options) => {
        this.#change(artifacts, artifact, artifact);
        artifacts.put(artifact, options);
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

  /** Requests the tag before the first change is queued, in the same round trip. */
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
