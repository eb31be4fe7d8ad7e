import { Problem } from '@memhall/core';

/** Renders the error body of a surface that does not define its own. */
export function renderProblem(problem: Problem, requestId: string): unknown {
  return {
    error: {
      code: problem.code,
      message: problem.message,
      request_id: requestId,
      ...(problem.details === undefined ? {} : { details: problem.details }),
    },
  };
}

/** Hides an unexpected error from the client behind a fixed text. */
export function internalProblem(cause: unknown): Problem {
  return new Problem('INTERNAL', 'Internal error. The log of the server has details under the request id.', { cause });
}
