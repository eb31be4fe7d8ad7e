import { Problem, toTimeZone } from '@memhall/core';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { defaultTimeZone } from './time-zones.js';

export interface UserSettings {
  /** Days and weeks in statements and queries are those of this zone. A name of the IANA list. */
  timeZone: string;
}

export async function getUserSettings(engine: Engine, caller: Caller): Promise<UserSettings> {
  const found = await engine.store.read(scopeOf(caller), (tables) => tables.userSettings.get());
  return { timeZone: found?.timeZone ?? defaultTimeZone };
}

/** Applies to what is said and asked from now on. Throws INVALID_REQUEST if there is no such time zone. */
export async function putUserSettings(engine: Engine, caller: Caller, given: UserSettings): Promise<UserSettings> {
  const timeZone = toTimeZone(given.timeZone);
  if (timeZone === undefined) {
    throw new Problem('INVALID_REQUEST', '"time_zone" must be a name of the IANA list, such as Europe/Oslo or UTC.');
  }
  await mutate(engine, caller, async (tables, now) => {
    const present = await tables.userSettings.get();
    if ((present?.timeZone ?? defaultTimeZone) === timeZone) return { result: undefined, mutations: [] };
    tables.userSettings.put({ timeZone, createdAt: present?.createdAt ?? now, updatedAt: now });
    const mutation = {
      ...{ target: `user/${caller.userId}`, preEtag: null, postEtag: null, contentHash: null },
      details: { time_zone: timeZone },
    };
    return { result: undefined, mutations: [mutation] };
  });
  engine.timeZones.forget(caller.tenantId, caller.userId);
  return { timeZone };
}
