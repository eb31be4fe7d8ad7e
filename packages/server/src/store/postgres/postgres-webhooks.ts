import type { Delivery, DeliveryStatus, Webhook, WebhookEvent, WebhookState, Webhooks } from '../../ports/webhooks.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface WebhookRow {
  name: string;
  webhook_id: string;
  url: string;
  events: string[];
  secret: string;
  created_at: Date;
  updated_at: Date;
}

interface DeliveryRow {
  webhook_id: string;
  delivery_id: string;
  status: DeliveryStatus;
  attempts: number;
  created_at: Date;
  next_attempt_at: Date | null;
  ended_at: Date | null;
  response_status: number | null;
  fault: string | null;
  duration_ms: number | null;
}

type EventRow = Omit<WebhookEvent, 'userId'> & { user_id: string };

const webhookColumns = 'name, webhook_id, url, events, secret, created_at, updated_at';
const deliveryColumns = `webhook_id, delivery_id, status, attempts, created_at, next_attempt_at, ended_at, response_status, fault,
  duration_ms`;
const selectWebhooks = `SELECT ${webhookColumns} FROM memhall.webhooks WHERE tenant_id = $1`;
const selectDeliveries = `SELECT ${deliveryColumns} FROM memhall.webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2`;
const ofDelivery = 'WHERE tenant_id = $1 AND webhook_id = $2 AND delivery_id = $3';

const fill = `UPDATE memhall.webhook_events SET delivery_id = $3
  WHERE tenant_id = $1 AND webhook_id = $2 AND position IN (
    SELECT position FROM memhall.webhook_events WHERE tenant_id = $1 AND webhook_id = $2 AND delivery_id IS NULL
    ORDER BY position LIMIT $4)`;

/** Changes wait until the delivery before them has ended. */
const selectState = `
  WITH due AS (
    SELECT tenant_id FROM memhall.webhook_deliveries WHERE status = 'waiting' AND next_attempt_at <= $1
    UNION
    SELECT w.tenant_id FROM memhall.webhooks AS w
    WHERE EXISTS (SELECT 1 FROM memhall.webhook_events AS e
        WHERE e.tenant_id = w.tenant_id AND e.webhook_id = w.webhook_id AND e.delivery_id IS NULL)
      AND NOT EXISTS (SELECT 1 FROM memhall.webhook_deliveries AS d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.status = 'waiting'))
  SELECT EXISTS (SELECT 1 FROM memhall.webhooks) AS is_any,
    ARRAY(SELECT tenant_id FROM due ORDER BY tenant_id) AS due_tenants,
    (SELECT min(next_attempt_at) FROM memhall.webhook_deliveries WHERE status = 'waiting' AND next_attempt_at > $1)
      AS next_attempt_at`;

export async function readWebhookState(statements: Statements, now: Date): Promise<WebhookState> {
  const [row] = await statements.query<{ is_any: boolean; due_tenants: string[]; next_attempt_at: Date | null }>(
    selectState,
    [now],
  );
  return {
    isAny: row?.is_any ?? false,
    dueTenants: row?.due_tenants ?? [],
    nextAttemptAt: row?.next_attempt_at ?? null,
  };
}

export function postgresWebhooks(statements: Statements, { tenantId }: TransactionScope): Webhooks {
  const webhooks = async (rest: string, values: readonly unknown[] = []) =>
    (await statements.query<WebhookRow>(`${selectWebhooks}${rest}`, [tenantId, ...values])).map(fromWebhookRow);
  const deliveries = async (rest: string, values: readonly unknown[]) =>
    (await statements.query<DeliveryRow>(`${selectDeliveries}${rest}`, [tenantId, ...values])).map(fromDeliveryRow);

  return {
    list: () => webhooks(' ORDER BY name'),

    async find(name) {
      return (await webhooks(' AND name = $2', [name]))[0];
    },

    put({ name, id, url, events, secret, createdAt, updatedAt }) {
      statements.enqueue(
        `INSERT INTO memhall.webhooks (tenant_id, ${webhookColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (tenant_id, name) DO UPDATE SET url = excluded.url, events = excluded.events, secret = excluded.secret,
           updated_at = excluded.updated_at`,
        [tenantId, name, id, url, events, JSON.stringify(secret), createdAt, updatedAt],
      );
    },

    remove({ id }) {
      for (const table of ['webhook_events', 'webhook_deliveries', 'webhooks']) {
        statements.enqueue(`DELETE FROM memhall.${table} WHERE tenant_id = $1 AND webhook_id = $2`, [tenantId, id]);
      }
    },

    async waiting(webhookId) {
      return (await deliveries(` AND status = 'waiting' ORDER BY delivery_id LIMIT 1`, [webhookId]))[0];
    },

    async fill({ webhookId, id }, limit) {
      const { rowCount } = await statements.send(fill, [tenantId, webhookId, id, limit]);
      return rowCount ?? 0;
    },

    async eventsOf({ webhookId, id }) {
      const rows = await statements.query<EventRow>(
        `SELECT user_id, partition, operation, kind, id, at FROM memhall.webhook_events ${ofDelivery} ORDER BY position`,
        [tenantId, webhookId, id],
      );
      return rows.map(({ user_id: userId, ...row }) => ({ ...row, userId }));
    },

    putDelivery(delivery) {
      statements.enqueue(
        `INSERT INTO memhall.webhook_deliveries (tenant_id, ${deliveryColumns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (tenant_id, webhook_id, delivery_id) DO UPDATE SET status = excluded.status,
           attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, ended_at = excluded.ended_at,
           response_status = excluded.response_status, fault = excluded.fault, duration_ms = excluded.duration_ms`,
        [
          ...[tenantId, delivery.webhookId, delivery.id, delivery.status, delivery.attempts, delivery.createdAt],
          ...[delivery.nextAttemptAt, delivery.endedAt, delivery.responseStatus, delivery.fault, delivery.durationMs],
        ],
      );
    },

    removeDelivery({ webhookId, id }) {
      statements.enqueue(`DELETE FROM memhall.webhook_deliveries ${ofDelivery}`, [tenantId, webhookId, id]);
    },

    async findDelivery(webhookId, id) {
      return (await deliveries(' AND delivery_id = $3', [webhookId, id]))[0];
    },

    deliveries: (webhookId, { before, status, limit }) =>
      deliveries(
        ` AND ($3::text IS NULL OR delivery_id < $3) AND ($4::text IS NULL OR status = $4) ORDER BY delivery_id DESC LIMIT $5`,
        [webhookId, before ?? null, status ?? null, limit],
      ),

    removeBefore(time) {
      statements.enqueue('DELETE FROM memhall.webhook_events WHERE tenant_id = $1 AND at < $2', [tenantId, time]);
      statements.enqueue(
        'DELETE FROM memhall.webhook_deliveries WHERE tenant_id = $1 AND created_at < $2 AND ended_at < $2',
        [tenantId, time],
      );
    },
  };
}

function fromWebhookRow(row: WebhookRow): Webhook {
  return {
    name: row.name,
    id: row.webhook_id,
    url: row.url,
    events: row.events,
    secret: JSON.parse(row.secret),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function fromDeliveryRow(row: DeliveryRow): Delivery {
  return {
    webhookId: row.webhook_id,
    id: row.delivery_id,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    endedAt: row.ended_at,
    responseStatus: row.response_status,
    fault: row.fault,
    durationMs: row.duration_ms,
  };
}
