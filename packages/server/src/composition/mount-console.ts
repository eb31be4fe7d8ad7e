import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { serveConsole } from '../http/console-files.js';
import { logFaults } from '../http/logging.js';
import { type Guards, mountSurface } from '../http/mount-surface.js';
import { CodeFlow } from '../http/oauth/code-flow.js';
import { consoleSurface } from '../surfaces/console/console-surface.js';
import { SignInCodes } from '../surfaces/console/sign-in-codes.js';

/** What `npm run build` makes of packages/console. */
const pages = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** Registers the console on a listener. Returns what makes the part of a link that signs in to it. */
export function mountConsole(
  app: FastifyInstance,
  config: Config,
  guards: Guards,
  logger: Logger,
): (token: string) => string {
  const codes = new SignInCodes();
  mountSurface(app, consoleSurface, { tokens: guards.tokens, codes, flow: createFlow(config, logger) }, guards);
  serveConsole(app, pages);
  return (token) => `/console/#code=${codes.issue(token)}`;
}

function createFlow(config: Config, logger: Logger): CodeFlow | undefined {
  const { jwtIssuer: issuer, consoleClientId: clientId, consoleClientSecret: clientSecret } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const { consoleScope: scope, consoleResource: resource } = config;
  return new CodeFlow({ issuer, clientId, clientSecret, scope, resource, onFault: logFaults(logger) });
}
