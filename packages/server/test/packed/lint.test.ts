import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { tools } from './support/global-setup.js';

const documents = ['openapi.json', 'openapi-plugin.json'].map((name) =>
  fileURLToPath(new URL(`../../../../docs/reference/${name}`, import.meta.url)),
);
/** Both paths of each are part of the contract. No method answers on both, so that no request is ambiguous. */
const ambiguous = [
  ['task-context/by-subtask/{subtask_id}', 'task-context/{task_id}/sub-tasks'],
  ['task-context/by-subtask/{subtask_id}', 'task-context/{task_id}/lease'],
  ['plans/by-correlation/{correlation_id}', 'plans/{plan_id}/correlations'],
];

async function lint(program: string, ...paths: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(tools, program), ...paths]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

it('publint and are-the-types-wrong find nothing', async () => {
  const tarballs = inject('tarballs').filter((path) => !path.includes('minilm'));
  expect(await lint('lint.mjs', ...tarballs)).toBe('');
});

it('the API follows the recommended rules of Redocly', async () => {
  const found = (await lint('lint-api.mjs', ...documents)).split('\n').filter((line) => line !== '');
  expect(found.map((line) => line.replace(/ #.*/, ''))).toEqual(
    ambiguous.map(
      ([one, other]) =>
        `openapi.json: no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: \`/v1/memory/${one}\` and \`/v1/memory/${other}\`.`,
    ),
  );
});
