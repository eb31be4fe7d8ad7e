import type { RouteExample } from '../../../http/route.js';
import { episodicExamples } from './episodic-examples.js';
import { planExamples } from './plan-examples.js';
import { proceduralExamples } from './procedural-examples.js';
import { semanticExamples } from './semantic-examples.js';
import { sessionExamples } from './session-examples.js';
import { taskContextExamples } from './task-context-examples.js';
import { workingExamples } from './working-examples.js';

/** A call of each operation and its answer, as a server gave it. */
export const memoryServiceExamples: Readonly<Record<string, RouteExample>> = {
  ...semanticExamples,
  ...episodicExamples,
  ...proceduralExamples,
  ...workingExamples,
  ...taskContextExamples,
  ...planExamples,
  ...sessionExamples,
};
