import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    attack?: Finding[];
  }
}

export interface Finding {
  part: string;
  name: string;
  value: number;
  /** How values of several tests become one. */
  combined: 'sum' | 'highest';
}

/** Whether the attacks are tried in full, and not only a sample of them. */
export const isFull = process.env.MEMHALL_TEST_LONG !== undefined;

/** How long a test of an attack may take. */
export const timeoutMs = isFull ? 1_200_000 : 60_000;

/** Adds numbers of a test to the report of the attacks. */
export function report(
  { task }: TestContext,
  part: string,
  values: Record<string, number>,
  combined: Finding['combined'] = 'sum',
): void {
  task.meta.attack ??= [];
  for (const [name, value] of Object.entries(values)) task.meta.attack.push({ part, name, value, combined });
}
