import { problemStatuses } from '@memhall/core';
import { problemsOf } from './openapi.js';
import type { Route } from './route.js';
import type { Surface } from './surface.js';

const style = `
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2330;background:#fff}
code,pre{font:14px/1.45 ui-monospace,monospace}pre{background:#f4f5f7;padding:.75rem 1rem;overflow:auto;border-radius:6px}
h2{margin-top:3rem;border-bottom:1px solid #d9dde3}article{margin:1.5rem 0}h3 code{font-size:1rem}
.method{font-weight:600;padding:.1rem .5rem;border-radius:4px;background:#1c2330;color:#fff;margin-right:.5rem}
details{margin:.4rem 0}summary{cursor:pointer;color:#3b4a63}nav a{margin-right:1rem}
@media(prefers-color-scheme:dark){body{background:#14171c;color:#dfe3ea}pre{background:#1e232b}.method{background:#dfe3ea;color:#14171c}summary{color:#9fb0cc}h2{border-color:#343b47}a{color:#8ab4f8}}
`;

/** Renders the route tables as one HTML page, without scripts or external resources. */
export function toDocsPage(surfaces: readonly Surface<never>[], info: { title: string; version: string }): string {
  const links = surfaces.map(({ name, title }) => `<a href="#${name}">${escapeHtml(title)}</a>`).join('');
  const sections = surfaces.map(
    ({ name, title, routes }) => `<h2 id="${name}">${escapeHtml(title)}</h2>${routes.map(toArticle).join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title><style>${style}</style></head><body>
<h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1>
<p>Send <code>Authorization: Bearer &lt;JWT&gt;</code> with each request. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
<nav>${links}</nav>${sections.join('')}</body></html>`;
}

function toArticle(route: Route<never>): string {
  const { params, query, headers, body } = route.request;
  const responses = Object.entries(route.responses).map(([status, response]) =>
    toSchema(`${status} ${response.description}`, response.schema),
  );
  const problems = problemsOf(route).map((code) => `<code>${problemStatuses[code]} ${code}</code>`);
  return `<article id="${route.operation}">
<h3><span class="method">${route.method}</span><code>${escapeHtml(route.path)}</code></h3>
<p>${escapeHtml(route.summary)} <code>${route.operation}</code>, access: ${route.access}.</p>
${toSchema('Path', params)}${toSchema('Query', query)}${toSchema('Headers', headers)}${toSchema('Body', body)}
${responses.join('')}<p>Errors: ${problems.join(', ')}</p></article>`;
}

function toSchema(label: string, schema: unknown): string {
  if (schema === undefined) return label.match(/^\d/) ? `<p>${escapeHtml(label)}</p>` : '';
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  return `<details><summary>${escapeHtml(label)}</summary><pre>${text}</pre></details>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
