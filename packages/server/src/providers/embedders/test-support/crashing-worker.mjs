import { parentPort } from 'node:worker_threads';

parentPort.on('message', () => {
  throw new Error('crash on purpose');
});
parentPort.postMessage({ type: 'ready', runtime: 'crashing', size: 384, note: undefined });
