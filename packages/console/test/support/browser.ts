import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { TestServer } from '../../../server/test/support/server.js';

/** Chromium as Debian installs it, kept from calling its vendor. */
const executablePath = '/usr/bin/chromium';
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface TestBrowser {
  /** Opens a page of the console, signed in with a token of the server. */
  open(server: TestServer, path: string, options?: OpenOptions): Promise<Page>;
  /** Opens any page of the server, and returns also the hosts that it asked. */
  visit(url: string): Promise<{ page: Page; hosts: Set<string> }>;
  /** What pages wrote to their consoles, and errors that nothing caught, since it was last asked for. */
  takeFaults(): string[];
}

export interface OpenOptions {
  token?: string;
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
}

/** Starts a browser with a new profile for a suite. Each page that a test opens is alone in it. */
export function useBrowser(timezoneId = 'UTC'): () => TestBrowser {
  let context: BrowserContext | undefined;
  const profile = mkdtempSync(join(tmpdir(), 'memhall-browser-'));
  const faults: string[] = [];
  beforeAll(async () => {
    context = await chromium.launchPersistentContext(profile, {
      executablePath,
      args: flags,
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId,
    });
  });
  afterAll(async () => {
    await context?.close();
    rmSync(profile, { recursive: true, force: true });
  });
  const open: TestBrowser['open'] = async (
    server,
    path,
    { token, theme = 'light', width = 1280, height = 800 } = {},
  ) => {
    if (context === undefined) throw new Error('the browser is there only while tests run');
    for (const page of context.pages().slice(1)) await page.close();
    await context.clearCookies();
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message.text())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(linkTo(server, path, token ?? (await server.token())));
    await page.locator('.shell h1').waitFor();
    return page;
  };
  const visit: TestBrowser['visit'] = async (url) => {
    if (context === undefined) throw new Error('the browser is there only while tests run');
    const page = await context.newPage();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message.text())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(url);
    return { page, hosts };
  };
  return () => ({ open, visit, takeFaults: () => faults.splice(0) });
}

/** A link as the server prints it, to any page. */
function linkTo(server: TestServer, path: string, token: string): string {
  const code = new URL(server.signInLink(token)).hash;
  return `${server.url}/console${path}${code}`;
}

/** Chromium reports every answer that is not a success. */
function isExpected(message: string): boolean {
  return message.startsWith('Failed to load resource');
}
