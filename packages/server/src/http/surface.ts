import type { Problem } from '@memhall/core';
import type { Route, RouteExample } from './route.js';

/** A published contract: its routes and its error format. */
export interface Surface<Services> {
  name: string;
  title: string;
  /** What it is for, for the documentation. */
  description: string;
  /** Loads an example of each operation, by its name. Only the documentation needs them, so a server that starts does not load them. */
  loadExamples(): Promise<Readonly<Record<string, RouteExample>>>;
  routes: readonly Route<Services>[];
  /** Returns the body of an error response. */
  renderProblem(problem: Problem, requestId: string): unknown;
  /** Returns the status of an error response, if the contract does not use the problem's own. */
  statusOf?(problem: Problem): number;
}
