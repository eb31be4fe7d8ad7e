import { expect } from 'vitest';
import type { Answer } from './server.js';

/** Expects a 401 response as in the contract. */
export function expectRefusal(answer: Answer): void {
  expect(answer.body.error).toMatchObject({ code: 'UNAUTHENTICATED', request_id: answer.headers.get('x-request-id') });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}
