import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import type { Json } from '@memhall/core';
import type { MemoryCalls } from '../sessions/server/memory-calls.js';
import { PlanValues } from '../state/plan-values.js';
import { channelKey, checkpointKey, checkpointPrefix, writeKey, writesPrefix } from './checkpoint-keys.js';
import { toName } from './stored-item.js';
import { fromTypedData, type TypedData, toTypedData } from './typed-data.js';

export interface MemhallSaverOptions {
  client: MemoryCalls;
  /** Savers with different names share no threads. Default `threads`; up to 80 of the characters A-Z a-z 0-9 . _ : @ - */
  name?: string;
  /** The user that a service token acts for. */
  userId?: string;
  /** How long checkpoints are kept after they were written. Default: until the thread is deleted. */
  ttlSeconds?: number;
  serde?: SerializerProtocol;
}

type Config = Parameters<BaseCheckpointSaver['getTuple']>[0];

/** A checkpoint without the values of its channels, which are stored once for each of their versions. */
interface StoredCheckpoint {
  namespace: string;
  id: string;
  parent_id: string | null;
  checkpoint: TypedData;
  metadata: TypedData;
}

interface StoredWrite {
  task_id: string;
  index: number;
  channel: string;
  value: TypedData;
}

const sessionPattern = /^[A-Za-z0-9._:@-]{1,256}$/;

/**
 * Keeps the checkpoints of LangGraph threads in working memory: they are state, so no recall finds them. They belong to
 * the user and are erased with the user. Each value of a channel is stored once, however many checkpoints have it.
 */
export class MemhallSaver extends BaseCheckpointSaver {
  readonly #client: MemoryCalls;
  readonly #name: string;
  readonly #user: { userId?: string };
  readonly #ttlSeconds: number | undefined;
  /** By thread, what the server did not store because the session of that name is off the record. */
  readonly #unstored = new Map<string, Map<string, string>>();
  readonly #listed = new Set<string>();

  constructor({ client, name = 'threads', userId, ttlSeconds, serde }: MemhallSaverOptions) {
    super(serde);
    this.#client = client;
    this.#name = name;
    this.#user = userId === undefined ? {} : { userId };
    this.#ttlSeconds = ttlSeconds;
  }

  /** The part behind the point keeps the values of two branches of a thread apart, which count the same steps. */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + Math.random();
  }

  override async getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    const { thread_id: threadId, checkpoint_ns: namespace = '' } = config.configurable ?? {};
    if (threadId === undefined) return undefined;
    const id = getCheckpointId(config);
    const values = await this.#valuesOf(threadId);
    const found = id
      ? await values.get(await checkpointKey(namespace, id))
      : await first(values.list(await checkpointPrefix(namespace)));
    return found === undefined ? undefined : this.#toTuple(threadId, values, found as unknown as StoredCheckpoint);
  }

  override async *list(
    config: Config,
    { before, limit, filter }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
    const isWanted = ({ id }: StoredCheckpoint) =>
      (checkpoint_id ?? id) === id && isBefore(id, before?.configurable?.checkpoint_id);
    let left = limit ?? Number.POSITIVE_INFINITY;
    for await (const threadId of thread_id === undefined ? this.#threads() : [thread_id]) {
      const values = await this.#valuesOf(threadId);
      for await (const one of values.list(await checkpointPrefix(checkpoint_ns))) {
        if (left <= 0) return;
        const stored = one as unknown as StoredCheckpoint;
        if (!isWanted(stored) || !(await this.#passes(stored, filter))) continue;
        left -= 1;
        yield this.#toTuple(threadId, values, stored);
      }
    }
  }

  override async put(
    config: Config,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<Config> {
    const { thread_id, checkpoint_ns: namespace = '', checkpoint_id: parentId = null } = config.configurable ?? {};
    const threadId = requireText('thread_id', thread_id);
    const { channel_values: channels, ...rest } = copyCheckpoint(checkpoint);
    const values = await this.#valuesOf(threadId);
    if (parentId === null || !this.#listed.has(threadId)) await this.#listThread(threadId);
    const changed = Object.entries(newVersions).filter(([channel]) => Object.hasOwn(channels, channel));
    await Promise.all(
      changed.map(async ([channel, version]) => {
        const data = await toTypedData(this.serde, channels[channel]);
        await values.put(await channelKey(namespace, channel, version), data);
      }),
    );
    const stored: StoredCheckpoint = {
      namespace,
      id: checkpoint.id,
      parent_id: parentId,
      checkpoint: await toTypedData(this.serde, rest),
      metadata: await toTypedData(this.serde, metadata),
    };
    // Last, so that a checkpoint that is found is complete.
    await values.put(await checkpointKey(namespace, checkpoint.id), stored as unknown as Json);
    return toConfig(threadId, namespace, checkpoint.id);
  }

  /** The first value of a write wins, except of special ones such as errors and interrupts, which replace the earlier one. */
  override async putWrites(config: Config, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id, checkpoint_ns: namespace = '', checkpoint_id } = config.configurable ?? {};
    const values = await this.#valuesOf(requireText('thread_id', thread_id));
    const id = requireText('checkpoint_id', checkpoint_id);
    await Promise.all(
      writes.map(async ([channel, value], n) => {
        const index = WRITES_IDX_MAP[channel] ?? n;
        const write: StoredWrite = { task_id: taskId, index, channel, value: await toTypedData(this.serde, value) };
        const key = await writeKey(namespace, id, taskId, index);
        await values.put(key, write as unknown as Json, { onlyIfAbsent: index >= 0 });
      }),
    );
  }

  override async deleteThread(threadId: string): Promise<void> {
    await (await this.#valuesOf(threadId)).clear();
    await this.#client.deletePlanState(this.#threadsPlan, await toName(threadId), this.#user);
    this.#listed.delete(threadId);
    this.#unstored.delete(threadId);
  }

  async #passes({ metadata }: StoredCheckpoint, filter: CheckpointListOptions['filter'] = {}): Promise<boolean> {
    const given = (await fromTypedData(this.serde, metadata)) as Record<string, unknown>;
    return Object.entries(filter).every(([name, value]) => given[name] === value);
  }

  get #threadsPlan(): string {
    return `langgraph-threads:${this.#name}`;
  }

  async #listThread(threadId: string): Promise<void> {
    const options = { ...this.#user, ...(this.#ttlSeconds === undefined ? {} : { ttlSeconds: this.#ttlSeconds }) };
    await this.#client.setPlanState(this.#threadsPlan, await toName(threadId), { thread_id: threadId }, options);
    this.#listed.add(threadId);
  }

  async *#threads(): AsyncGenerator<string, void, undefined> {
    for await (const { value } of this.#client.allPlanState(this.#threadsPlan, { ...this.#user, limit: 100 })) {
      yield (value as { thread_id: string }).thread_id;
    }
  }

  async #valuesOf(threadId: string): Promise<PlanValues> {
    const unstored = this.#unstored.get(threadId) ?? new Map<string, string>();
    this.#unstored.set(threadId, unstored);
    return new PlanValues({
      client: this.#client,
      user: this.#user,
      planId: `langgraph-thread:${await toName([this.#name, threadId])}`,
      sessionId: sessionPattern.test(threadId) ? threadId : undefined,
      ttlSeconds: this.#ttlSeconds,
      unstored,
    });
  }

  async #toTuple(threadId: string, values: PlanValues, stored: StoredCheckpoint): Promise<CheckpointTuple> {
    const { namespace, id, parent_id: parentId } = stored;
    const rest = (await fromTypedData(this.serde, stored.checkpoint)) as Omit<Checkpoint, 'channel_values'>;
    const checkpoint: Checkpoint = { ...rest, channel_values: await this.#channelsOf(values, namespace, rest) };
    if (checkpoint.v < 4 && parentId !== null) await this.#movePendingSends(values, namespace, parentId, checkpoint);
    return {
      config: toConfig(threadId, namespace, id),
      checkpoint,
      metadata: (await fromTypedData(this.serde, stored.metadata)) as CheckpointMetadata,
      pendingWrites: await this.#writesOf(values, namespace, id),
      ...(parentId === null ? {} : { parentConfig: toConfig(threadId, namespace, parentId) }),
    };
  }

  async #channelsOf(
    values: PlanValues,
    namespace: string,
    { channel_versions: versions }: Pick<Checkpoint, 'channel_versions'>,
  ): Promise<Record<string, unknown>> {
    const channels = await Promise.all(
      Object.entries(versions).map(async ([channel, version]) => {
        const data = await values.get(await channelKey(namespace, channel, version));
        return data === undefined ? [] : [[channel, await fromTypedData(this.serde, data as TypedData)] as const];
      }),
    );
    return Object.fromEntries(channels.flat());
  }

  async #writesOf(values: PlanValues, namespace: string, id: string): Promise<CheckpointPendingWrite[]> {
    const writes: StoredWrite[] = [];
    for await (const one of values.list(await writesPrefix(namespace, id))) writes.push(one as unknown as StoredWrite);
    writes.sort((a, b) => (a.task_id === b.task_id ? a.index - b.index : a.task_id < b.task_id ? -1 : 1));
    return Promise.all(
      writes.map(async ({ task_id, channel, value }): Promise<CheckpointPendingWrite> => {
        return [task_id, channel, await fromTypedData(this.serde, value)];
      }),
    );
  }

  /** Before format 4, what tasks had sent was not part of the checkpoint. */
  async #movePendingSends(
    values: PlanValues,
    namespace: string,
    parentId: string,
    checkpoint: Checkpoint,
  ): Promise<void> {
    const writes = await this.#writesOf(values, namespace, parentId);
    checkpoint.channel_values[TASKS] = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length === 0 ? this.getNextVersion(undefined) : maxChannelVersion(...versions);
  }
}

function isBefore(id: string, other: string | undefined): boolean {
  return other === undefined || id < other;
}

async function first<T>(values: AsyncGenerator<T, void, undefined>): Promise<T | undefined> {
  for await (const value of values) return value;
  return undefined;
}

function requireText(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(
    `The config has no configurable.${name}. Pass it to the graph: { configurable: { thread_id: '…' } }.`,
  );
}

function toConfig(threadId: string, namespace: string, id: string): Config {
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id } };
}
