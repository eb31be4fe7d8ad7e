import { Problem } from '@memhall/core';
import { ExtractorError } from '../../ports/extractor-error.js';

/** How often a conversation is read that cannot be read for a reason of its own. */
export const maxTries = 5;
/** How often while a service is away. With pauses that double from five seconds on, that is for about three hours. */
export const maxPatientTries = 12;

/** Whether a conversation that could not be read is given up. */
export function wasLastTry(error: unknown, attempts: number): boolean {
  if (isHopeless(error)) return true;
  return attempts >= (isAway(error) ? maxPatientTries : maxTries);
}

/** Whether no later try can do better. */
function isHopeless(error: unknown): boolean {
  if (error instanceof ExtractorError) return error.code === 'rejected';
  return error instanceof Problem && error.status < 500;
}

function isAway(error: unknown): boolean {
  return error instanceof ExtractorError ? error.retryable : error instanceof Problem;
}
