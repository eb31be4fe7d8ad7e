import type { Problem } from '@memhall/core';
import type { Route } from './route.js';

/** A published contract: its routes and its way of showing a problem. */
export interface Surface<Services> {
  name: string;
  title: string;
  routes: readonly Route<Services>[];
  /** Body of an error answer; the status is the problem's own. */
  renderProblem(problem: Problem, requestId: string): unknown;
}
