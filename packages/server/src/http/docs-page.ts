import { readFile } from 'node:fs/promises';

/** Allows the page its own script and calls of this server, and nothing from any other host. The renderer sets styles inline. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const script = new URL('../../dist/docs/openapi-explorer.js', import.meta.url);

const style = `body{margin:0;font:16px/1.5 system-ui,sans-serif}noscript{display:block;margin:2rem auto;max-width:40rem}
openapi-explorer{--font-regular:system-ui,sans-serif;--font-mono:ui-monospace,monospace}`;

interface DocsPage {
  title: string;
  /** Address of the OpenAPI document and of the script, relative to the page, so that the page works behind a path prefix. */
  specification: string;
  script: string;
  /** Another API that has a page. */
  other: { title: string; path: string };
  /** Whether calls can be tried: not if another listener answers them. */
  canTry: boolean;
}

/** Returns a page that shows an OpenAPI document, and sends calls with a token that is pasted there. Tokens are not stored. */
export function toDocsPage({ title, specification, script: source, other, canTry }: DocsPage): string {
  const name = escapeHtml(title);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${name}</title><link rel="icon" href="data:,"><style>${style}</style><script type="module" src="${source}"></script></head>
<body><openapi-explorer spec-url="${specification}" hide-server-selection="true" ${canTry ? '' : 'hide-console="true" '}
 primary-color="#2454a6" secondary-color="#2454a6" nav-bg-color="#f4f5f7" default-schema-tab="body" schema-expand-level="2">
<div slot="overview"><p>${canTry ? 'Paste a token under Authentication (<code>memhall token --tenant default --user me</code>), choose a call, and press Execute.' : 'These calls are answered by the plugin listener.'}
See also <a href="${other.path}">${escapeHtml(other.title)}</a> and <a href="${specification}">the OpenAPI document</a>.</p></div></openapi-explorer>
<noscript>This page needs JavaScript. The same is in <a href="${specification}">the OpenAPI document</a>.</noscript></body></html>`;
}

/** Returns the script of the page, which is part of this package. */
export function readDocsScript(): Promise<string> {
  return readFile(script, 'utf8');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
