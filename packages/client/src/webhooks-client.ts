import type {
  Operations,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryWithChanges,
  WebhookTest,
} from './generated/operations.js';
import { SourcesClient } from './sources-client.js';
import type { CallOptions } from './transport.js';

export type WebhookDefinition = Operations['webhooks.put']['body'];

export interface DeliveryFilter {
  status?: WebhookDelivery['status'];
  limit?: number;
  cursor?: string;
}

/** Calls for administrators that send endpoints what changes in a tenant. */
export class WebhooksClient extends SourcesClient {
  async listWebhooks(tenantId: string, options: CallOptions = {}): Promise<Webhook[]> {
    return (await this.answer('webhooks.list', { path: { tenant_id: tenantId } }, options)).webhooks;
  }

  async getWebhook(tenantId: string, name: string, options: CallOptions = {}): Promise<Webhook> {
    return (await this.answer('webhooks.get', { path: { tenant_id: tenantId, name } }, options)).webhook;
  }

  /** Creates a webhook, or changes one. A new one needs a secret. */
  async putWebhook(
    tenantId: string,
    name: string,
    definition: WebhookDefinition,
    options: CallOptions = {},
  ): Promise<Webhook> {
    const path = { tenant_id: tenantId, name };
    return (await this.answer('webhooks.put', { path, body: definition }, options)).webhook;
  }

  async deleteWebhook(tenantId: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.answer('webhooks.delete', { path: { tenant_id: tenantId, name } }, options);
  }

  /** Sends a delivery without changes, and returns what came of it. */
  testWebhook(tenantId: string, name: string, options: CallOptions = {}): Promise<WebhookTest> {
    return this.answer('webhooks.test', { path: { tenant_id: tenantId, name } }, options);
  }

  /** Lists what a webhook was sent, newest first. */
  listDeliveries(
    tenantId: string,
    name: string,
    filter: DeliveryFilter = {},
    options: CallOptions = {},
  ): Promise<WebhookDeliveryPage> {
    return this.answer('webhooks.listDeliveries', { path: { tenant_id: tenantId, name }, query: filter }, options);
  }

  getDelivery(
    tenantId: string,
    name: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<WebhookDeliveryWithChanges> {
    const path = { tenant_id: tenantId, name, delivery_id: deliveryId };
    return this.answer('webhooks.getDelivery', { path }, options);
  }

  /** Sends a delivery again now, if it waits for that or was given up. */
  async retryDelivery(
    tenantId: string,
    name: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<WebhookDelivery> {
    const path = { tenant_id: tenantId, name, delivery_id: deliveryId };
    return (await this.answer('webhooks.retryDelivery', { path }, options)).delivery;
  }
}
