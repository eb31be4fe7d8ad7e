import { Type } from 'typebox';
import { Id, nextCursor, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { deliveryStatuses } from '../../ports/webhooks.js';

const closed = { additionalProperties: false };

export const tenantParams = Type.Object({ tenant_id: Id });
export const webhookParams = Type.Object({ tenant_id: Id, name: Id });
export const deliveryParams = Type.Object({ tenant_id: Id, name: Id, delivery_id: Id });

const Url = Type.String({ minLength: 1, maxLength: 2000, description: 'Address of the endpoint. It must use HTTPS.' });

const Events = Type.Array(Type.String({ pattern: '^(\\*|[A-Za-z_]+\\.(\\*|[A-Za-z_]+))$', maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description:
    'Which changes are sent, by their `operation`: one such as `memory.remember`, all of a family such as `memory.*`, or `*` for all',
});

export const webhookBody = Type.Object(
  {
    url: Url,
    events: Events,
    secret: Type.Optional(
      Type.String({
        pattern: '^[\\x20-\\x7e]+$',
        minLength: 16,
        maxLength: 256,
        description:
          'Signs the deliveries. Stored encrypted and never returned. If it is absent, a webhook that exists keeps its secret.',
      }),
    ),
  },
  closed,
);

export const Webhook = Type.Object(
  {
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Webhook' },
);

export const OneWebhook = Type.Object({ webhook: Webhook }, { title: 'OneWebhook' });
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook) }, { title: 'WebhookList' });

const Status = Type.Unsafe<(typeof deliveryStatuses)[number]>({
  type: 'string',
  enum: [...deliveryStatuses],
  description: '`waiting`: not sent yet, or to be sent again. `failed`: given up after three days.',
});

export const deliveryListQuery = Type.Object({ ...pageQuery, status: Type.Optional(Status) }, closed);

const responseStatus = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Status of the response to the last attempt; null if there was none',
});
const fault = Type.Union([Type.String(), Type.Null()], { description: 'What went wrong at the last attempt' });
const duration = Type.Union([Type.Integer(), Type.Null()], { description: 'Of the last attempt' });

const delivery = {
  id: Type.String(),
  status: Status,
  attempts: Type.Integer(),
  created_at: Timestamp,
  next_attempt_at: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Only while it waits' })),
  ended_at: Type.Optional(Timestamp),
  response_status: responseStatus,
  fault,
  duration_ms: duration,
};

export const Delivery = Type.Object(delivery, { title: 'WebhookDelivery' });
export const DeliveryPage = Type.Object(
  { deliveries: Type.Array(Delivery), next_cursor: nextCursor },
  { title: 'WebhookDeliveryPage' },
);
export const OneDelivery = Type.Object({ delivery: Delivery }, { title: 'OneWebhookDelivery' });

export const DeliveryWithChanges = Type.Object(
  {
    delivery: Delivery,
    changes: Type.Array(
      Type.Object({
        at: Timestamp,
        operation: Type.String(),
        kind: Type.String(),
        id: Type.String(),
        user_id: Type.Optional(Type.String({ description: 'Who changed it; absent if nobody is to be named' })),
        workspace_id: Type.Optional(Type.String()),
        namespace: Type.Optional(Type.String()),
        visibility: Type.Optional(Type.Literal('public')),
      }),
      { description: 'As they are sent. Those of people who were forgotten are gone.' },
    ),
  },
  { title: 'WebhookDeliveryWithChanges' },
);

export const Tested = Type.Object(
  {
    accepted: Type.Boolean(),
    response_status: responseStatus,
    fault: Type.Union([Type.String(), Type.Null()]),
    duration_ms: Type.Integer(),
  },
  { title: 'WebhookTest' },
);
