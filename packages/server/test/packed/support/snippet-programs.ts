import type { Consumer } from './consumer.js';

/**
 * Readers put in what an earlier call returned. Here programs do that: `uk_…`, `r_…` and `ID` stand for the last user key, file and
 * memory that `curl` got.
 */
const shared = `
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const path = new URL('../last.json', import.meta.url);
const last = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
const fill = (text) => text.replaceAll('uk_…', last.user_key).replaceAll('r_…', last.resource_id).replace(/^ID$/, last.id);
const run = (program, parameters) => spawnSync(program, parameters.map(fill), { stdio: ['inherit', 'pipe', 'inherit'] });
`;

const curl = `#!/usr/bin/env node
${shared}
// A stream does not end by itself.
const isStream = process.argv.some((parameter) => parameter.includes('text/event-stream'));
const limits = isStream ? ['--max-time', '1'] : [];
const ended = run('/usr/bin/curl', ['--fail-with-body', '-S', ...limits, ...process.argv.slice(2)]);
const { stdout } = ended;
const status = isStream && ended.status === 28 ? 0 : ended.status;
const text = stdout.toString();
process.stdout.write(text);
for (const name of ['user_key', 'resource_id', 'id']) {
  const found = new RegExp('"' + name + '":"([^"]+)"').exec(text);
  if (found) last[name] = found[1];
}
writeFileSync(path, JSON.stringify(last));
if (status !== 0) process.stderr.write(process.argv.slice(2).join(' ') + ': ' + text + '\\n');
process.exitCode = status;
`;

const npx = `#!/usr/bin/env node
${shared}
const [name, ...parameters] = process.argv.slice(2).filter((parameter) => parameter !== '-y');
const { status, stdout } = run(new URL('../node_modules/.bin/' + name, import.meta.url).pathname, parameters);
process.stdout.write(stdout);
if (status !== 0) process.stderr.write('npx ' + process.argv.slice(2).join(' ') + '\\n');
process.exitCode = status;
`;

const uuidgen = `#!/usr/bin/env node
console.log(crypto.randomUUID());
`;

/** Stands for a program that is not ours, and checks nothing. */
const claude = '#!/bin/sh\nexit 0\n';

export function addPrograms(consumer: Consumer): void {
  for (const [name, code] of Object.entries({ curl, npx, uuidgen, claude })) consumer.write(`bin/${name}`, code, 0o755);
  consumer.write('handbook.pdf', 'The handbook says that tea is served at four.');
}

/** Returns one script of all the code of a page. Readers of the guide have the names of the README's first example. */
export function toScript(codes: readonly string[]): string {
  return [
    'set -euo pipefail; shopt -s expand_aliases',
    'TOKEN=$(npx memhall token --tenant default --user me)',
    `alias memhall-call='curl -s -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json"'`,
    'BASE=$URL/v1/tenants/default/users/me',
    'memhall() { npx memhall "$@"; }',
    ...codes.flatMap((code) => [
      `ID=$(node -p 'JSON.parse(fs.readFileSync("last.json")).id' 2> /dev/null || true)`,
      code,
    ]),
  ].join('\n');
}
