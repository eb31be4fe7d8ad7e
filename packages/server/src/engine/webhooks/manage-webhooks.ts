import { Problem, ulid } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import type { Webhook } from '../../ports/webhooks.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { secretContext } from './sign-delivery.js';

const most = 20;

interface WebhookInput {
  name: string;
  url: string;
  events: readonly string[];
  /** May be left out if the webhook exists: it keeps its secret. */
  secret?: string | undefined;
}

/**
 * Creates a webhook, or replaces its address and events. A delivery that waits to be sent again is sent at once. Throws INVALID_REQUEST,
 * or CONFLICT if the tenant has too many.
 */
export function putWebhook(
  engine: Engine,
  caller: Caller,
  input: WebhookInput,
): Promise<{ webhook: Webhook; isNew: boolean }> {
  const url = toEndpoint(input.url);
  const { name, secret } = input;
  const events = [...new Set(input.events)].toSorted();
  return mutateTenant<{ webhook: Webhook; isNew: boolean }>(engine, caller, async (tables, now) => {
    const known = await tables.webhooks.list();
    const present = known.find((one) => one.name === name);
    if (present === undefined && known.length >= most) {
      throw new Problem('CONFLICT', `A tenant can have ${most} webhooks. Delete one first.`);
    }
    const id = present?.id ?? `whk_${ulid(now.getTime())}`;
    const sealed = await sealSecret(engine, tables, { tenantId: caller.tenantId, id, secret, present, now });
    const webhook = {
      name,
      id,
      url: url.href,
      events,
      secret: sealed,
      createdAt: present?.createdAt ?? now,
      updatedAt: now,
    };
    tables.webhooks.put(webhook);
    const waiting = present && (await tables.webhooks.waiting(id));
    if (waiting !== undefined) tables.webhooks.putDelivery({ ...waiting, nextAttemptAt: now });
    // Addresses can contain a token, so the audit log has only their host.
    const definition = { name, host: url.host, events, has_new_secret: secret !== undefined };
    return {
      result: { webhook, isNew: present === undefined },
      mutations: [toMutation(name, contentHash(definition))],
    };
  });
}

/** Throws NOT_FOUND. */
export function deleteWebhook(engine: Engine, caller: Caller, name: string): Promise<void> {
  return mutateTenant(engine, caller, async (tables) => {
    tables.webhooks.remove(await findWebhook(tables, name));
    return { result: undefined, mutations: [toMutation(name, null)] };
  });
}

/** Throws NOT_FOUND. */
export function getWebhook(engine: Engine, caller: Caller, name: string): Promise<Webhook> {
  return engine.store.inspect(caller.tenantId, (tables) => findWebhook(tables, name));
}

export function listWebhooks(engine: Engine, caller: Caller): Promise<Webhook[]> {
  return engine.store.inspect(caller.tenantId, (tables) => tables.webhooks.list());
}

/** Throws NOT_FOUND. */
export async function findWebhook(tables: Tables, name: string): Promise<Webhook> {
  const found = await tables.webhooks.find(name);
  if (found !== undefined) return found;
  throw new Problem('NOT_FOUND', `There is no webhook "${name}".`);
}

async function sealSecret(
  engine: Engine,
  tables: Tables,
  given: { tenantId: string; id: string; secret: string | undefined; present: Webhook | undefined; now: Date },
) {
  const { tenantId, id, secret, present, now } = given;
  if (secret !== undefined) {
    return engine.cipher.seal(tables, tenantId, Buffer.from(secret, 'utf8'), secretContext(id), now);
  }
  if (present !== undefined) return present.secret;
  throw new Problem('INVALID_REQUEST', 'A new webhook needs a secret, with which its deliveries are signed.');
}

function toEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') {
    throw new Problem('INVALID_REQUEST', 'url must be an absolute address that begins with https://.');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new Problem('INVALID_REQUEST', 'url must not contain a user name, a password or a fragment.');
  }
  return url;
}

function toMutation(name: string, hash: string | null): Mutation {
  return { target: `webhook/${name}`, preEtag: null, postEtag: null, contentHash: hash };
}
