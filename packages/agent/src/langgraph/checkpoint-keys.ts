import type { Json } from '@memhall/core';
import { toName } from './stored-item.js';

const idPattern = /^[0-9a-f-]{1,36}$/;
/** A hash is shortened, because a key has at most 128 characters: 80 bits tell the namespaces of a thread apart. */
const shortLength = 20;

/** Keys of checkpoints begin with it. Newest first, because the digits of the ids are inverted. */
export async function checkpointPrefix(namespace: string | undefined): Promise<string> {
  return namespace === undefined ? 'c:' : `c:${await toShortName(namespace)}:`;
}

export async function checkpointKey(namespace: string, id: string): Promise<string> {
  return `${await checkpointPrefix(namespace)}${invert(id)}`;
}

/** Keys of the writes of a checkpoint begin with it. */
export async function writesPrefix(namespace: string, id: string): Promise<string> {
  return `w:${await toShortName(namespace)}:${invert(id)}:`;
}

export async function writeKey(namespace: string, id: string, taskId: string, index: number): Promise<string> {
  const number = index < 0 ? `n${-index}` : `p${String(index).padStart(6, '0')}`;
  return `${await writesPrefix(namespace, id)}${await toShortName(taskId)}:${number}`;
}

export async function channelKey(namespace: string, channel: string, version: string | number): Promise<string> {
  return `v:${await toShortName([namespace, channel, version])}`;
}

async function toShortName(parts: Json): Promise<string> {
  return (await toName(parts)).slice(0, shortLength);
}

function invert(id: string): string {
  if (!idPattern.test(id)) throw new TypeError('The id of a checkpoint must be a UUID in lower case.');
  return id.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}
