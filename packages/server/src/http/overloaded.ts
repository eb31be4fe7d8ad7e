import { Problem } from '@memhall/core';

export function overloaded(retryAfterSeconds: number): Problem {
  return new Problem('UNAVAILABLE', 'The server has too much to do. Try again shortly.', { retryAfterSeconds });
}
