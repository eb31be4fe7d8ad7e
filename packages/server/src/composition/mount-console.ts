import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { serveConsole } from '../http/console-files.js';
import { type Guards, mountSurface } from '../http/mount-surface.js';
import { consoleSurface } from '../surfaces/console/console-surface.js';
import { SignInCodes } from '../surfaces/console/sign-in-codes.js';

/** What `npm run build` makes of packages/console. */
const pages = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** Registers the console on a listener. Returns what makes the part of a link that signs in to it. */
export function mountConsole(app: FastifyInstance, guards: Guards): (token: string) => string {
  const codes = new SignInCodes();
  mountSurface(app, consoleSurface, { tokens: guards.tokens, codes }, guards);
  serveConsole(app, pages);
  return (token) => `/console/#code=${codes.issue(token)}`;
}
