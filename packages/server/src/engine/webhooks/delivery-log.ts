import { Problem } from '@memhall/core';
import type { Delivery, DeliveryStatus, WebhookEvent } from '../../ports/webhooks.js';
import { maintainTenant } from '../audit/maintain.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import { findWebhook } from './manage-webhooks.js';

const keptDays = 30;

/** Lists what a webhook was sent, newest first. Throws NOT_FOUND. */
export async function listDeliveries(
  engine: Engine,
  caller: Caller,
  name: string,
  { status, limit, cursor }: { status?: DeliveryStatus | undefined; limit: number; cursor?: string | undefined },
): Promise<Page<Delivery>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
  const rows = await engine.store.inspect(caller.tenantId, async (tables) => {
    const { id } = await findWebhook(tables, name);
    return tables.webhooks.deliveries(id, { before, status, limit: limit + 1 });
  });
  return toPage(rows, limit, ({ id }) => [id]);
}

/** Throws NOT_FOUND. */
export function getDelivery(
  engine: Engine,
  caller: Caller,
  name: string,
  id: string,
): Promise<{ delivery: Delivery; events: WebhookEvent[] }> {
  return engine.store.inspect(caller.tenantId, async (tables) => {
    const webhook = await findWebhook(tables, name);
    const delivery = (await tables.webhooks.findDelivery(webhook.id, id)) ?? missing(id);
    return { delivery, events: await tables.webhooks.eventsOf(delivery) };
  });
}

/**
 * Sends a delivery again: one that waits for another attempt, or one that was given up if no other one waits, because deliveries keep
 * their order. Throws NOT_FOUND or CONFLICT.
 */
export function retryDelivery(engine: Engine, caller: Caller, name: string, id: string): Promise<Delivery> {
  return mutateTenant<Delivery>(engine, caller, async (tables, now) => {
    const { id: webhookId } = await findWebhook(tables, name);
    const delivery = (await tables.webhooks.findDelivery(webhookId, id)) ?? missing(id);
    const waiting = await tables.webhooks.waiting(webhookId);
    if (delivery.status === 'delivered') throw new Problem('CONFLICT', 'The delivery was accepted by the endpoint.');
    if (waiting !== undefined && waiting.id !== id) {
      throw new Problem('CONFLICT', `The webhook has another delivery waiting, ${waiting.id}. Retry that one first.`);
    }
    const again: Delivery = { ...delivery, status: 'waiting', nextAttemptAt: now, endedAt: null };
    tables.webhooks.putDelivery(again);
    const target = `webhook/${name}/delivery/${id}`;
    return { result: again, mutations: [{ target, preEtag: null, postEtag: null, contentHash: null }] };
  });
}

/** Removes what webhooks of a tenant were sent long ago, and what they could not be told for as long. */
export async function forgetOldDeliveries(engine: Engine, tenantId: string): Promise<void> {
  const horizon = new Date(engine.clock.now().getTime() - keptDays * 86_400_000);
  await maintainTenant(engine, tenantId, async (tables) => tables.webhooks.removeBefore(horizon));
}

function missing(id: string): never {
  throw new Problem('NOT_FOUND', `The webhook has no delivery "${id}". Deliveries are kept for ${keptDays} days.`);
}
