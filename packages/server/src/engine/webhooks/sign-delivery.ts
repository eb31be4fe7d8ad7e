import { createHmac } from 'node:crypto';
import { partitionFromKey } from '../../ports/memories.js';
import { workspaceOf } from '../../ports/owners.js';
import type { Webhook, WebhookEvent } from '../../ports/webhooks.js';

export function secretContext(webhookId: string): string {
  return `webhook/${webhookId}`;
}

/** Returns the body of a delivery. It is the same at every attempt. */
export function toBody(
  tenantId: string,
  webhook: Webhook,
  deliveryId: string,
  events: readonly WebhookEvent[],
): string {
  return JSON.stringify({
    id: deliveryId,
    webhook: webhook.name,
    tenant_id: tenantId,
    changes: events.map(toSentChange),
  });
}

/** Returns the headers of a delivery. The signature covers the time and the body, so that neither can be changed or sent again later. */
export function toHeaders(
  secret: Buffer,
  { id, attempt, body, now }: { id: string; attempt: number; body: string; now: Date },
): Record<string, string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'user-agent': 'Memhall',
    'memhall-delivery': id,
    'memhall-attempt': String(attempt),
    'memhall-signature': `t=${seconds},v1=${signature}`,
  };
}

export function toSentChange({ at, operation, kind, id, userId, partition }: WebhookEvent) {
  return {
    ...{ at: at.toISOString(), operation, kind, id },
    ...(userId === '' ? {} : { user_id: userId }),
    ...ownerOf(partition),
  };
}

/** Returns whose it is, unless it is the user's own. */
function ownerOf(key: string): { workspace_id?: string; namespace?: string; visibility?: 'public' } {
  const partition = partitionFromKey(key);
  if (partition.kind === 'public') return { visibility: 'public' };
  if (partition.kind === 'namespace') return { namespace: partition.name };
  const workspaceId = workspaceOf(partition.userId);
  return workspaceId === undefined ? {} : { workspace_id: workspaceId };
}
