import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/**
 * @typedef {object} Command
 * @property {string} file
 * @property {readonly string[]} args
 * @property {string} log the file with its output
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [uid]
 * @property {number} [gid]
 */

/**
 * Runs a program and returns its output. Throws with what it wrote to standard error.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ input?: string, env?: NodeJS.ProcessEnv }} options
 */
export function run(file, args, options = {}) {
  return execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe', ...options });
}

/** A process of the cluster that can be killed, stopped, and started again. Its output goes to a file. */
export class Service {
  #child;
  #command;

  /** @param {string} name @param {Command} command */
  constructor(name, command) {
    this.name = name;
    this.#command = command;
    this.#child = this.#spawn();
  }

  start() {
    this.#child = this.#spawn();
  }

  #spawn() {
    const { file, args, log, ...options } = this.#command;
    const output = openSync(log, 'a');
    const child = spawn(file, args, { ...options, stdio: ['ignore', output, output] });
    closeSync(output);
    // A program that is missing is reported by the timeout of what waits for it.
    return child.on('error', () => undefined);
  }

  get isRunning() {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends a signal; resolves once the process has ended. @param {NodeJS.Signals} signal */
  async end(signal = 'SIGTERM', timeoutMs = 20_000) {
    if (!this.isRunning) return;
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill(signal);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
    await ended;
    clearTimeout(timer);
  }
}
