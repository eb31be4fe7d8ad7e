import type { Problem } from '@memhall/core';
import type { Surface } from '../../http/surface.js';
import { chatRoutes } from './chat-routes.js';
import type { GatewayServices } from './gateway-services.js';
import { memoryRoutes } from './memory-routes.js';
import { resourceRoutes } from './resource-routes.js';
import { userRoutes } from './user-routes.js';

/** Keys are removed from messages, which may quote a key that was sent in the wrong field. */
const keys = /uk_[A-Za-z0-9_-]{8,}/g;

export const gatewaySurface: Surface<GatewayServices> = {
  name: 'gateway',
  title: 'Memory gateway',
  description: 'Messages of chats and files of users, with a key per user instead of a token.',
  loadExamples: async () => (await import('./gateway-examples.js')).gatewayExamples,
  routes: [...userRoutes, ...chatRoutes, ...memoryRoutes, ...resourceRoutes],
  renderProblem({ code, message }: Problem, requestId: string) {
    return { error: { code, message: message.replaceAll(keys, '[key]'), request_id: requestId } };
  },
  statusOf({ code, status }: Problem) {
    return code === 'INVALID_REQUEST' || code === 'UNKNOWN_FIELD' ? 422 : status;
  },
};
