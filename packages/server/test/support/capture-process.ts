import fs from 'node:fs';
import { vi } from 'vitest';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Thrown by `process.exit`. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit with ${code}`);
  }
}

/**
 * Runs `work` and returns what it prints and its exit code, as if it were a process. Hazard: until it is done, it owns this
 * process's standard output, standard error (including what the logger writes directly to the descriptor) and exit code.
 */
export async function captureProcess(work: () => Promise<void>): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  const capture = (stream: 'stdout' | 'stderr') =>
    vi.spyOn(process[stream], 'write').mockImplementation((chunk, ...rest) => {
      printed[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = rest.at(-1);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    });
  const writeSync = fs.writeSync;
  const spies = [
    capture('stdout'),
    capture('stderr'),
    vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, text: string, ...rest: []) => {
      if (fd !== process.stderr.fd) return writeSync(fd, text, ...rest);
      printed.stderr += text;
      return Buffer.byteLength(text);
    }) as typeof writeSync),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Exit(Number(code ?? 0));
    }),
  ];
  const listeners = listenersOfSignals();
  const { exitCode } = process;
  process.exitCode = 0;
  try {
    await work();
    return { code: Number(process.exitCode), ...printed };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...printed };
    throw error;
  } finally {
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
    for (const [signal, listener] of listenersOfSignals()) {
      if (!listeners.some(([, before]) => before === listener)) process.off(signal, listener);
    }
  }
}

function listenersOfSignals(): [NodeJS.Signals, NodeJS.SignalsListener][] {
  return (['SIGINT', 'SIGTERM'] as const).flatMap((signal) =>
    process.listeners(signal).map((listener): [NodeJS.Signals, NodeJS.SignalsListener] => [signal, listener]),
  );
}
