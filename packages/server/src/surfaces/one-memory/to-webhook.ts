import type { WebhookOutcome } from '../../ports/webhook-sender.js';
import type { Delivery, Webhook } from '../../ports/webhooks.js';

export function toWebhook({ name, url, events, createdAt, updatedAt }: Webhook) {
  return { name, url, events: [...events], created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

export function toDelivery(delivery: Delivery) {
  const { id, status, attempts, createdAt, nextAttemptAt, endedAt, responseStatus, fault, durationMs } = delivery;
  return {
    ...{ id, status, attempts, created_at: createdAt.toISOString() },
    ...(nextAttemptAt === null ? {} : { next_attempt_at: nextAttemptAt.toISOString() }),
    ...(endedAt === null ? {} : { ended_at: endedAt.toISOString() }),
    ...{ response_status: responseStatus, fault: toSentence(fault), duration_ms: durationMs },
  };
}

export function toTested({ status, fault, durationMs }: WebhookOutcome) {
  return { accepted: fault === null, response_status: status, fault: toSentence(fault), duration_ms: durationMs };
}

function toSentence(fault: string | null): string | null {
  return fault === null ? null : `The endpoint ${fault}.`;
}
