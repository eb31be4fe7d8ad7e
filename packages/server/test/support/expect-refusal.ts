import { expect } from 'vitest';
import type { Answer } from './server.js';

/** 401 as the contract has it. */
export function expectRefusal(answer: Answer): void {
  expect(answer.body.error).toMatchObject({ code: 'UNAUTHENTICATED', request_id: answer.headers.get('x-request-id') });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}
