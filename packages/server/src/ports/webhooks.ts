import type { Sealed } from './artifact-bodies.js';

/** An endpoint that learns what changed in the tenant. */
export interface Webhook {
  name: string;
  /** Of this webhook only, also if another one has its name later. */
  id: string;
  url: string;
  /** Operations such as `memory.remember`, families such as `memory.*`, or `*`. */
  events: readonly string[];
  /** The secret that signs deliveries, encrypted. */
  secret: Sealed;
  createdAt: Date;
  updatedAt: Date;
}

/** `waiting`: not sent yet, or to be sent again. `failed`: given up. */
export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Some changes that are sent together. */
export interface Delivery {
  webhookId: string;
  /** Ids increase with time. */
  id: string;
  status: DeliveryStatus;
  attempts: number;
  createdAt: Date;
  /** While it is being sent, when another process may send it if this one died. Null if it has ended. */
  nextAttemptAt: Date | null;
  endedAt: Date | null;
  /** Of the last attempt; null if there was none, or no response. */
  responseStatus: number | null;
  /** What went wrong at the last attempt. */
  fault: string | null;
  durationMs: number | null;
}

/** A change that a webhook is to learn of. */
export interface WebhookEvent {
  userId: string;
  /** As in `Change`. */
  partition: string;
  operation: string;
  kind: string;
  id: string;
  at: Date;
}

/** Which webhooks have something to deliver. */
export interface WebhookState {
  /** Whether any tenant has a webhook. */
  isAny: boolean;
  dueTenants: string[];
  /** When the next delivery has to be sent again; null if none has. */
  nextAttemptAt: Date | null;
}

/**
 * The webhooks of the transaction's tenant, and what they are sent. Operator transactions only. The changes that a webhook is to learn
 * of are added by `Changes.append`.
 */
export interface Webhooks {
  /** Returns all, in the order of their names. */
  list(): Promise<Webhook[]>;
  find(name: string): Promise<Webhook | undefined>;
  /** Replaces the one with the same name. Queued. */
  put(webhook: Webhook): void;
  /** Removes it, its deliveries, and changes that it has not learned of. Queued. */
  remove(webhook: Webhook): void;
  /** Returns the deliveries of a webhook that have not ended: at most one. */
  waiting(webhookId: string): Promise<Delivery | undefined>;
  /** Makes the oldest changes that are part of no delivery part of this one. Returns how many. */
  fill(delivery: Pick<Delivery, 'webhookId' | 'id'>, limit: number): Promise<number>;
  /** Returns the changes of a delivery, in their order. Those of forgotten people are gone. */
  eventsOf(delivery: Pick<Delivery, 'webhookId' | 'id'>): Promise<WebhookEvent[]>;
  /** Replaces the one with the same id. Queued. */
  putDelivery(delivery: Delivery): void;
  /** Queued. */
  removeDelivery(delivery: Pick<Delivery, 'webhookId' | 'id'>): void;
  findDelivery(webhookId: string, id: string): Promise<Delivery | undefined>;
  /** Returns deliveries, newest first: those before an id, and with this status if there is one. */
  deliveries(
    webhookId: string,
    page: { before?: string | undefined; status?: DeliveryStatus | undefined; limit: number },
  ): Promise<Delivery[]>;
  /** Removes deliveries that ended before this time, and changes from before it. Queued. */
  removeBefore(time: Date): void;
}
