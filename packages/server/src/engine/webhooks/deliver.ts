import { Problem, ulid } from '@memhall/core';
import type { WebhookOutcome } from '../../ports/webhook-sender.js';
import type { Delivery, Webhook, WebhookEvent } from '../../ports/webhooks.js';
import { maintainTenant } from '../audit/maintain.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { findWebhook } from './manage-webhooks.js';
import { secretContext, toBody, toHeaders } from './sign-delivery.js';

/** How many changes are sent together. */
const batch = 100;
/** A process that sends a delivery has this long before another one does it. */
const leaseMs = 60_000;
/** Pauses after failed attempts; the last one repeats. */
const pausesSeconds = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600];
/** A delivery that failed for so long is given up. */
const givenUpAfterMs = 3 * 86_400_000;

interface Claimed {
  webhook: Webhook;
  delivery: Delivery;
  events: WebhookEvent[];
  secret: Buffer | undefined;
}

/**
 * Sends what webhooks of a tenant are to learn now: to each the oldest changes that it has not learned of. Returns how many of them
 * accepted a delivery.
 */
export async function deliverToWebhooks(engine: Engine, tenantId: string, signal: AbortSignal): Promise<number> {
  const claimed = await maintainTenant(engine, tenantId, async (tables) => {
    const found: Claimed[] = [];
    for (const webhook of await tables.webhooks.list()) {
      const one = await claim(engine, tenantId, webhook, tables);
      if (one !== undefined) found.push(one);
    }
    return found;
  });
  const accepted = await Promise.all(claimed.map((one) => attempt(engine, tenantId, one, signal)));
  return accepted.filter(Boolean).length;
}

/** Sends a delivery without changes, and returns what came of it. Nothing is stored. Throws NOT_FOUND. */
export async function testWebhook(engine: Engine, caller: Caller, name: string): Promise<WebhookOutcome> {
  const { tenantId } = caller;
  const { webhook, secret } = await engine.store.inspect(tenantId, async (tables) => {
    const found = await findWebhook(tables, name);
    return { webhook: found, secret: await openSecret(engine, tenantId, found, tables) };
  });
  const id = `whd_${ulid(engine.clock.now().getTime())}`;
  return send(
    engine,
    { webhook, secret, body: toBody(tenantId, webhook, id, []), id, attempt: 1 },
    new AbortController().signal,
  );
}

type TablesOf = Parameters<Parameters<typeof maintainTenant>[2]>[0];

async function claim(
  engine: Engine,
  tenantId: string,
  webhook: Webhook,
  tables: TablesOf,
): Promise<Claimed | undefined> {
  const now = engine.clock.now();
  const waiting = await tables.webhooks.waiting(webhook.id);
  if (waiting?.nextAttemptAt && waiting.nextAttemptAt > now) return undefined;
  const next = waiting ?? newDelivery(webhook, now);
  if (waiting === undefined && (await tables.webhooks.fill(next, batch)) === 0) return undefined;
  const events = await tables.webhooks.eventsOf(next);
  if (events.length === 0) {
    // Everybody whom it was about has been forgotten.
    tables.webhooks.removeDelivery(next);
    return undefined;
  }
  const delivery = { ...next, attempts: next.attempts + 1, nextAttemptAt: new Date(now.getTime() + leaseMs) };
  tables.webhooks.putDelivery(delivery);
  return { webhook, delivery, events, secret: await openSecret(engine, tenantId, webhook, tables) };
}

async function attempt(
  engine: Engine,
  tenantId: string,
  { webhook, delivery, events, secret }: Claimed,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, attempts } = delivery;
  const body = toBody(tenantId, webhook, id, events);
  const outcome = await send(engine, { webhook, secret, body, id, attempt: attempts }, signal);
  const now = engine.clock.now();
  const isDelivered = outcome.fault === null;
  const isOver = isDelivered || now.getTime() - delivery.createdAt.getTime() >= givenUpAfterMs;
  engine.telemetry.countWebhook(isDelivered ? 'delivered' : isOver ? 'failed' : 'retried');
  await maintainTenant(engine, tenantId, async (tables) => {
    // An administrator may have deleted the webhook meanwhile.
    if ((await tables.webhooks.findDelivery(delivery.webhookId, id)) === undefined) return;
    tables.webhooks.putDelivery({
      ...delivery,
      status: isDelivered ? 'delivered' : isOver ? 'failed' : 'waiting',
      nextAttemptAt: isOver ? null : new Date(now.getTime() + pauseMs(attempts)),
      endedAt: isOver ? now : null,
      responseStatus: outcome.status,
      fault: outcome.fault,
      durationMs: outcome.durationMs,
    });
  });
  return isDelivered;
}

function send(
  engine: Engine,
  given: { webhook: Webhook; secret: Buffer | undefined; body: string; id: string; attempt: number },
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const { webhook, secret, body } = given;
  if (secret === undefined) {
    const fault = 'was not asked: its secret cannot be decrypted. Set the secret again';
    return Promise.resolve({ status: null, fault, durationMs: 0 });
  }
  const headers = toHeaders(secret, { ...given, now: engine.clock.now() });
  return engine.webhookSender.send({ url: webhook.url, headers, body }, signal);
}

/** Returns undefined if the tenant's key is missing. */
async function openSecret(engine: Engine, tenantId: string, { id, secret }: Webhook, tables: TablesOf) {
  try {
    return await engine.cipher.open(tables, tenantId, secret, secretContext(id));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function newDelivery({ id: webhookId }: Webhook, now: Date): Delivery {
  return {
    ...{ webhookId, id: `whd_${ulid(now.getTime())}`, status: 'waiting', attempts: 0 },
    ...{ createdAt: now, nextAttemptAt: now, endedAt: null },
    ...{ responseStatus: null, fault: null, durationMs: null },
  };
}

function pauseMs(attempts: number): number {
  return (pausesSeconds[Math.min(attempts, pausesSeconds.length) - 1] ?? 0) * 1000;
}
