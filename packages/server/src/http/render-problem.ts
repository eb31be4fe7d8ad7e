import { Problem } from '@memhall/core';

/** The error body of every surface that has none of its own. */
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

/** What a client sees of an error that nobody foresaw: fixed text. */
export function internalProblem(cause: unknown): Problem {
  return new Problem('INTERNAL', 'Something went wrong on our side. The request id finds it in the log.', { cause });
}
