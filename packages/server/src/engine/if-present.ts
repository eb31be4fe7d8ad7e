import { Problem } from '@memhall/core';

/** Resolves with undefined instead of failing with NOT_FOUND. */
export async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
