import type { Engine } from '../../engine/engine.js';
import { renderProblem } from '../../http/render-problem.js';
import type { Surface } from '../../http/surface.js';
import { auditRoutes } from './audit-routes.js';
import { contextRoutes } from './context-routes.js';
import { conversationRoutes } from './conversation-routes.js';
import { documentRoutes } from './document-routes.js';
import { erasureRoutes } from './erasure-routes.js';
import { eventRoutes } from './event-routes.js';
import { legalHoldRoutes } from './legal-hold-routes.js';
import { registryRoutes } from './registry-routes.js';
import { retentionRoutes } from './retention-routes.js';
import { snapshotRoutes } from './snapshot-routes.js';
import { unresolvedRoutes } from './unresolved-routes.js';

export const documentsSurface: Surface<Engine> = {
  name: 'documents',
  title: 'Governed documents',
  description:
    'Documents that several agents write under rules: schemas, profiles, history, context, events, retention.',
  loadExamples: async () => (await import('./examples/documents-examples.js')).documentsExamples,
  routes: [
    ...registryRoutes,
    ...documentRoutes,
    ...contextRoutes,
    ...eventRoutes,
    ...snapshotRoutes,
    ...conversationRoutes,
    ...unresolvedRoutes,
    ...auditRoutes,
    ...retentionRoutes,
    ...erasureRoutes,
    ...legalHoldRoutes,
  ],
  renderProblem,
};
