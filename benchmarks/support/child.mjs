import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Child
 * @property {(name: string, input: object) => Promise<any>} call Runs one of the child's functions.
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a process that handles one call at a time.
 * @param {string} file next to this one
 * @returns {Child}
 */
export function startChild(file) {
  // Detached, so that an interrupt at the terminal reaches only the parent, which stops everything in order.
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { detached: true });
  const exited = new Promise((done) => child.once('exit', done));
  return {
    call(name, input) {
      return new Promise((done, fail) => {
        const gone = () => fail(new Error(`${file} ended before it responded`));
        child.once('exit', gone);
        child.once('message', (/** @type {{ result?: unknown, error?: string }} */ answer) => {
          child.off('exit', gone);
          if (answer.error === undefined) done(answer.result);
          else fail(new Error(answer.error));
        });
        child.send({ name, input });
      });
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/**
 * The child's side. Exits when its parent disconnects, after `close`.
 * @param {Record<string, (input: any) => Promise<unknown>>} functions
 * @param {() => Promise<void>} [close]
 */
export function serveParent(functions, close = async () => undefined) {
  process.on('message', async (/** @type {{ name: string, input: object }} */ { name, input }) => {
    const answer = await Promise.resolve(functions[name]?.(input)).then(
      (result) => ({ result }),
      (error) => ({ error: error instanceof Error ? error.stack : String(error) }),
    );
    if (process.connected) process.send?.(answer);
  });
  process.on('disconnect', () => close().finally(() => process.exit(0)));
}
