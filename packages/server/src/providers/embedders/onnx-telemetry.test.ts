import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { disableOnnxTelemetry, refuseOnnxTelemetry } from './onnx-telemetry.js';

const built = new URL('../../../dist/providers/embedders/onnx-telemetry.js', import.meta.url).href;

/** Returns what a thread that has not inherited the setting throws. */
function refusalInThread(): Promise<string> {
  const script = `
    import('${built}').then(({ disableOnnxTelemetry, refuseOnnxTelemetry }) => {
      disableOnnxTelemetry();
      refuseOnnxTelemetry();
    }).catch((error) => require('node:worker_threads').parentPort.postMessage(error.message));`;
  const worker = new Worker(script, { eval: true, env: {} });
  return new Promise((done, fail) => {
    worker.once('message', done);
    worker.once('exit', () => fail(new Error('the thread was not refused')));
  });
}

describe('telemetry of the native runtime', () => {
  it('is off for the process once it was disabled in the main thread', () => {
    disableOnnxTelemetry();
    expect(refuseOnnxTelemetry).not.toThrow();
  });

  it('cannot be disabled from another thread, which therefore may not load the runtime', async () => {
    expect(await refusalInThread()).toContain('set ORT_DISABLE_TELEMETRY=1 in the environment');
  });
});
