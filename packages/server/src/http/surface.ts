import type { Problem } from '@memhall/core';
import type { Route } from './route.js';

/** A published contract: its routes and its way of showing a problem. */
export interface Surface<Services> {
  name: string;
  title: string;
  routes: readonly Route<Services>[];
  /** Body of an error answer. */
  renderProblem(problem: Problem, requestId: string): unknown;
  /** Status of an error answer, where the contract has others than the problem's own. */
  statusOf?(problem: Problem): number;
}
