import type { Engine } from '../../engine/engine.js';
import { testWebhook } from '../../engine/webhooks/deliver.js';
import { getDelivery, listDeliveries, retryDelivery } from '../../engine/webhooks/delivery-log.js';
import { deleteWebhook, getWebhook, listWebhooks, putWebhook } from '../../engine/webhooks/manage-webhooks.js';
import { toSentChange } from '../../engine/webhooks/sign-delivery.js';
import { defineRoute } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import { toDelivery, toTested, toWebhook } from './to-webhook.js';
import {
  DeliveryPage,
  DeliveryWithChanges,
  deliveryListQuery,
  deliveryParams,
  OneDelivery,
  OneWebhook,
  Tested,
  tenantParams,
  WebhookList,
  webhookBody,
  webhookParams,
} from './webhook-schemas.js';

const path = '/v1/tenants/{tenant_id}/webhooks';

export const webhookRoutes = [
  defineRoute({
    operation: 'webhooks.list',
    method: 'GET',
    path,
    summary: 'List the webhooks of a tenant.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantParams },
    responses: { 200: { description: 'All, by name', schema: WebhookList } },
    async handle(engine: Engine, { caller }) {
      return { body: { webhooks: (await listWebhooks(engine, caller)).map(toWebhook) } };
    },
  }),
  defineRoute({
    operation: 'webhooks.put',
    method: 'PUT',
    path: `${path}/{name}`,
    summary: 'Send what changes in a tenant to an endpoint, or change where it is sent.',
    description:
      'The endpoint gets ids only, in signed requests over HTTPS, in the order of the changes and each at least once. Changes from before the webhook was created are not sent. A tenant can have 20 webhooks.',
    access: 'admin',
    tenantWide: true,
    request: { params: webhookParams, body: webhookBody },
    responses: {
      201: { description: 'A new webhook', schema: OneWebhook },
      200: { description: 'The webhook after the change', schema: OneWebhook },
    },
    problems: ['CONFLICT'],
    async handle(engine: Engine, { caller, params, body }) {
      const { webhook, isNew } = await putWebhook(engine, caller, { name: params.name, ...body });
      engine.onWebhook();
      return { status: isNew ? 201 : 200, body: { webhook: toWebhook(webhook) } };
    },
  }),
  defineRoute({
    operation: 'webhooks.get',
    method: 'GET',
    path: `${path}/{name}`,
    summary: 'Read a webhook.',
    access: 'admin',
    tenantWide: true,
    request: { params: webhookParams },
    responses: { 200: { description: 'The webhook', schema: OneWebhook } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      return { body: { webhook: toWebhook(await getWebhook(engine, caller, params.name)) } };
    },
  }),
  defineRoute({
    operation: 'webhooks.delete',
    method: 'DELETE',
    path: `${path}/{name}`,
    summary: 'Delete a webhook, with the log of its deliveries and what it has not been sent.',
    access: 'admin',
    tenantWide: true,
    request: { params: webhookParams },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      await deleteWebhook(engine, caller, params.name);
      return {};
    },
  }),
  defineRoute({
    operation: 'webhooks.test',
    method: 'POST',
    path: `${path}/{name}:test`,
    summary: 'Send a webhook a delivery without changes, and return what came of it.',
    access: 'admin',
    tenantWide: true,
    request: { params: webhookParams },
    responses: { 200: { description: 'Whether the endpoint accepted it', schema: Tested } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      return { body: toTested(await testWebhook(engine, caller, params.name)) };
    },
  }),
  defineRoute({
    operation: 'webhooks.listDeliveries',
    method: 'GET',
    path: `${path}/{name}/deliveries`,
    summary: 'List what a webhook was sent in the last 30 days, newest first.',
    access: 'admin',
    tenantWide: true,
    request: { params: webhookParams, query: deliveryListQuery },
    responses: { 200: { description: 'One page', schema: DeliveryPage } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params, query }) {
      const { items, nextCursor } = await listDeliveries(engine, caller, params.name, query);
      return { body: { deliveries: items.map(toDelivery), ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'webhooks.getDelivery',
    method: 'GET',
    path: `${path}/{name}/deliveries/{delivery_id}`,
    summary: 'Read a delivery of a webhook, with its changes.',
    access: 'admin',
    tenantWide: true,
    request: { params: deliveryParams },
    responses: { 200: { description: 'The delivery', schema: DeliveryWithChanges } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const { delivery, events } = await getDelivery(engine, caller, params.name, params.delivery_id);
      return { body: { delivery: toDelivery(delivery), changes: events.map(toSentChange) } };
    },
  }),
  defineRoute({
    operation: 'webhooks.retryDelivery',
    method: 'POST',
    path: `${path}/{name}/deliveries/{delivery_id}:retry`,
    summary: 'Send a delivery again now, if it waits for that or was given up.',
    access: 'admin',
    tenantWide: true,
    request: { params: deliveryParams },
    responses: { 200: { description: 'The delivery, which is sent next', schema: OneDelivery } },
    problems: ['NOT_FOUND', 'CONFLICT'],
    async handle(engine: Engine, { caller, params }) {
      const delivery = await retryDelivery(engine, caller, params.name, params.delivery_id);
      engine.onWebhook();
      return { body: { delivery: toDelivery(delivery) } };
    },
  }),
];
