import type { RouteExample } from '../../../http/route.js';
import { auditExamples } from './audit-examples.js';
import { conversationExamples } from './conversation-examples.js';
import { documentExamples } from './document-examples.js';
import { erasureExamples } from './erasure-examples.js';
import { eventExamples } from './event-examples.js';
import { legalHoldExamples } from './legal-hold-examples.js';
import { registryExamples } from './registry-examples.js';
import { retentionExamples } from './retention-examples.js';
import { unresolvedExamples } from './unresolved-examples.js';

/** A call of each operation and its answer, as a server gave it. */
export const documentsExamples: Readonly<Record<string, RouteExample>> = {
  ...registryExamples,
  ...documentExamples,
  ...eventExamples,
  ...conversationExamples,
  ...unresolvedExamples,
  ...auditExamples,
  ...retentionExamples,
  ...erasureExamples,
  ...legalHoldExamples,
};
