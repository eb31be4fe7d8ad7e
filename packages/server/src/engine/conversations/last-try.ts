import { Problem } from '@memhall/core';
import { ExtractorError } from '../../ports/extractor-error.js';

/** Attempts if the conversation itself is the reason for the failure. */
export const maxTries = 5;
/**
 * Attempts while a service is unavailable. With pauses that double from five seconds on, this lasts about three hours.
 */
export const maxPatientTries = 12;

/** Whether to give up on a conversation that could not be read. */
export function wasLastTry(error: unknown, attempts: number): boolean {
  if (isPermanent(error)) return true;
  return attempts >= (isUnavailable(error) ? maxPatientTries : maxTries);
}

/** Whether no later attempt can succeed. */
function isPermanent(error: unknown): boolean {
  if (error instanceof ExtractorError) return error.code === 'rejected';
  return error instanceof Problem && error.status < 500;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ExtractorError ? error.retryable : error instanceof Problem;
}
