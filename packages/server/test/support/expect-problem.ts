import { type ProblemCode, problemStatuses } from '@memhall/core';
import { expect } from 'vitest';
import type { RawAnswer } from './raw-http.js';
import type { Answer } from './server.js';

/** Expects an error response exactly as in the contract. Pass `status` if the code alone does not determine it. */
export function expectProblem(
  answer: Answer | RawAnswer | undefined,
  code: ProblemCode,
  status: number = problemStatuses[code],
): void {
  if (answer === undefined) throw new Error('the server closed the connection without an answer');
  const header = (name: string) =>
    answer.headers instanceof Headers ? answer.headers.get(name) : answer.headers[name];
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      error: expect.objectContaining({
        code,
        message: expect.stringMatching(/.\.$/),
        request_id: header('x-request-id'),
      }),
    },
  });
  expect(answer.body.error.request_id).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  expect(Object.keys(answer.body.error).filter((name) => name !== 'details')).toEqual([
    'code',
    'message',
    'request_id',
  ]);
}
