import { MemhallError, type UserOptions } from '@memhall/client';
import type { Json } from '@memhall/core';
import type { MemoryCalls } from '../sessions/server/memory-calls.js';
import { splitLosslessly } from '../sessions/server/split-losslessly.js';

/** A part of a value. Large values have several parts, because the size of a request is limited. */
interface ValuePart {
  /** Only in the first part. */
  parts?: number;
  /** JSON of the value, or a piece of it. */
  text: string;
}

interface PlanValuesOptions {
  client: MemoryCalls;
  user: UserOptions;
  planId: string;
  /** The session that the values come from. While it is off the record, they stay in `unstored`. */
  sessionId?: string | undefined;
  ttlSeconds?: number | undefined;
  /** By key, the JSON of values that the server did not store. */
  unstored: Map<string, string>;
}

const pageSize = 20;
/** In UTF-16 code units. As JSON in UTF-8, it stays below the server's limit of 1 MiB. */
const maxPartCharacters = 150_000;
const firstPart = toSuffix(0);

/**
 * JSON values of any size under the keys of one plan in working memory: no recall finds them. A value counts when its
 * first part is stored, which is written last. Keys may have up to 123 characters.
 */
export class PlanValues {
  readonly #options: PlanValuesOptions;

  constructor(options: PlanValuesOptions) {
    this.#options = options;
  }

  async put(key: string, value: Json, { onlyIfAbsent = false } = {}): Promise<void> {
    const { unstored } = this.#options;
    const text = JSON.stringify(value);
    if (onlyIfAbsent && unstored.has(key)) return;
    const [first = '', ...rest] = splitLosslessly(text, maxPartCharacters);
    try {
      for (const [n, piece] of rest.entries()) await this.#putPart(key, n + 1, { text: piece }, false);
      await this.#putPart(key, 0, { parts: rest.length + 1, text: first }, onlyIfAbsent);
    } catch (error) {
      if (!(error instanceof MemhallError)) throw error;
      if (error.code === 'OFF_THE_RECORD') unstored.set(key, text);
      else if (error.code !== 'ETAG_MISMATCH') throw error;
    }
  }

  async get(key: string): Promise<Json | undefined> {
    const { client, planId, user, unstored } = this.#options;
    const kept = unstored.get(key);
    if (kept !== undefined) return JSON.parse(kept);
    const first = await client.getPlanState(planId, key + firstPart, user);
    return first === null ? undefined : this.#join(key, first.value as unknown as ValuePart);
  }

  /** Yields the values whose keys begin with a prefix, ordered by key. */
  async *list(prefix: string): AsyncGenerator<Json, void, undefined> {
    const kept = [...this.#options.unstored].filter(([key]) => key.startsWith(prefix)).sort(byKey);
    for await (const [key, value] of this.#listStored(prefix)) {
      while (kept[0] !== undefined && kept[0][0] < key) yield JSON.parse(kept.shift()?.[1] ?? '');
      yield value;
    }
    for (const [, text] of kept) yield JSON.parse(text);
  }

  async delete(key: string): Promise<void> {
    const { client, planId, user, unstored } = this.#options;
    unstored.delete(key);
    const first = await client.getPlanState(planId, key + firstPart, user);
    const parts = (first?.value as unknown as ValuePart | undefined)?.parts ?? 0;
    for (let n = 0; n < parts; n += 1) await client.deletePlanState(planId, key + toSuffix(n), user);
  }

  async clear(): Promise<void> {
    const { client, planId, user, unstored } = this.#options;
    unstored.clear();
    await client.deletePlanState(planId, undefined, user);
  }

  async *#listStored(prefix: string): AsyncGenerator<[string, Json], void, undefined> {
    const { client, planId, user } = this.#options;
    for await (const { key, value } of client.allPlanState(planId, { ...user, prefix, limit: pageSize })) {
      if (!key.endsWith(firstPart)) continue;
      const name = key.slice(0, -firstPart.length);
      const whole = await this.#join(name, value as unknown as ValuePart);
      if (whole !== undefined) yield [name, whole];
    }
  }

  /** Returns undefined if a part is missing, because the value is just being deleted. */
  async #join(key: string, first: ValuePart): Promise<Json | undefined> {
    const { client, planId, user } = this.#options;
    const texts = [first.text];
    for (let n = 1; n < (first.parts ?? 1); n += 1) {
      const part = await client.getPlanState(planId, key + toSuffix(n), user);
      if (part === null) return undefined;
      texts.push((part.value as unknown as ValuePart).text);
    }
    return JSON.parse(texts.join(''));
  }

  async #putPart(key: string, part: number, value: ValuePart, onlyIfAbsent: boolean): Promise<void> {
    const { client, planId, user, sessionId, ttlSeconds } = this.#options;
    await client.setPlanState(planId, key + toSuffix(part), value, {
      ...user,
      onlyIfAbsent,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    });
  }
}

function toSuffix(part: number): string {
  return `-${String(part).padStart(4, '0')}`;
}

function byKey([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}
