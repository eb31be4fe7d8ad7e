// Threads cannot run TypeScript, and test support is not built.
import { Problem } from '@memhall/core';

/** @param {Uint8Array} bytes */
export function countBytes(bytes) {
  return bytes.reduce((sum, byte) => sum + byte, 0);
}

/** @param {unknown} input */
export function echo(input) {
  return input;
}

/** @param {string} message */
export function refuse(message) {
  throw new Problem('INVALID_REQUEST', message, { details: { at: 1 } });
}

export function fail() {
  throw new Error('broken');
}

export function loop() {
  for (;;);
}

export function grow() {
  const kept = [];
  for (;;) kept.push(new Array(1000).fill({}));
}
