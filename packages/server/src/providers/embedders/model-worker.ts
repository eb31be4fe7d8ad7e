import { parentPort, workerData } from 'node:worker_threads';
import { EmbedderError } from '../../ports/embedder-error.js';
import { loadEngine } from './load-engine.js';
import type { ModelEngine } from './model-engine.js';
import { IDLE, type WorkerInput, type WorkerReply, type WorkerRequest } from './model-worker-messages.js';

const { options, state } = workerData as WorkerInput;

async function serve(): Promise<void> {
  try {
    const { engine, note } = await loadEngine(options);
    const size = (await engine.run('warm up', 'warm up')).length;
    parentPort?.on('message', (request: WorkerRequest) => void answer(engine, request));
    reply({ type: 'ready', runtime: engine.runtime, size, note });
  } catch (error) {
    reply(toFailure(error));
  }
}

async function answer(engine: ModelEngine, request: WorkerRequest): Promise<void> {
  if (request.type === 'stop') {
    parentPort?.close();
    return;
  }
  try {
    reply({ type: 'numbers', numbers: await engine.run(request.text, request.passage) });
  } catch (error) {
    reply(toFailure(error));
  }
}

function toFailure(error: unknown): WorkerReply {
  if (error instanceof EmbedderError) return { type: 'failed', code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'failed', code: 'unavailable', message: `The local model failed: ${message}` };
}

function reply(message: WorkerReply): void {
  Atomics.store(state, 0, IDLE);
  Atomics.notify(state, 0);
  parentPort?.postMessage(message);
}

await serve();
