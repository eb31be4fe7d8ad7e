import { createHash, randomBytes } from 'node:crypto';

const validMs = 5 * 60_000;
const mostAtOnce = 100;

/** Codes that stand for a token: each can be redeemed once, within five minutes, in the process that issued it. */
export class SignInCodes {
  /** By the hash of the code, oldest first. */
  readonly #issued = new Map<string, { token: string; untilMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  issue(token: string): string {
    const code = randomBytes(32).toString('base64url');
    this.#issued.set(hash(code), { token, untilMs: this.#now() + validMs });
    for (const oldest of [...this.#issued.keys()].slice(0, -mostAtOnce)) this.#issued.delete(oldest);
    return code;
  }

  /** Returns undefined if the code was never issued, was redeemed before, or is too old. */
  redeem(code: string): string | undefined {
    const key = hash(code);
    const found = this.#issued.get(key);
    this.#issued.delete(key);
    return found === undefined || found.untilMs < this.#now() ? undefined : found.token;
  }
}

function hash(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
