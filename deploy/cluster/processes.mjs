import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** Runs a program and returns its output. Throws with what it wrote to standard error. */
export function run(file, args, options = {}) {
  return execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe', ...options });
}

/** A process of the cluster that can be killed, stopped, and started again. Its output goes to a file. */
export class Service {
  #child;
  #command;

  constructor(name, { file, args, log, env = {}, uid, gid }) {
    this.name = name;
    this.log = log;
    this.#command = { file, args, env, uid, gid };
    this.start();
  }

  start() {
    const { file, args, env, uid, gid } = this.#command;
    const output = openSync(this.log, 'a');
    this.#child = spawn(file, args, { env: { ...process.env, ...env }, uid, gid, stdio: ['ignore', output, output] });
    closeSync(output);
    // A program that is missing is reported by the timeout of what waits for it.
    this.#child.on('error', () => undefined);
  }

  get pid() {
    return this.#child.pid;
  }

  get isRunning() {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends a signal; resolves once the process has ended. */
  async end(signal = 'SIGTERM', timeoutMs = 20_000) {
    if (!this.isRunning) return;
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill(signal);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
    await ended;
    clearTimeout(timer);
  }

  signal(signal) {
    this.#child.kill(signal);
  }
}
