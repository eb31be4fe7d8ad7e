import { parentPort, workerData } from 'node:worker_threads';
import { type Json, Problem, type ProblemCode } from '@memhall/core';
import type { ThreadTask } from '../../ports/threads.js';

export type ThreadInput = ThreadTask & { input: unknown };

export type ThreadReply =
  | { type: 'result'; result: unknown }
  | { type: 'problem'; code: ProblemCode; message: string; options: { details?: Record<string, Json> } };

const { module, name, input } = workerData as ThreadInput;
const functions: Partial<Record<string, (input: unknown) => unknown>> = await import(module);
parentPort?.postMessage(await run());

async function run(): Promise<ThreadReply> {
  const task = functions[name];
  if (task === undefined) throw new Error(`${module} exports no ${name}`);
  try {
    return { type: 'result', result: await task(input) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    return { type: 'problem', code, message, options: details === undefined ? {} : { details } };
  }
}
