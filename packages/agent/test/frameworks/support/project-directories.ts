import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../../', import.meta.url));
const isLong = process.env.MEMHALL_TEST_LONG !== undefined;
const at = (path: string) => fileURLToPath(new URL(`../../../../../${path}/`, import.meta.url));

/** Where scripts/install-frameworks.sh installs frameworks. */
export const projectDirectories = {
  current: at('examples/frameworks'),
  ...(isLong
    ? {
        previous: at('packages/agent/test/frameworks/previous'),
        currentClaude: at('examples/claude-agent-sdk'),
        previousClaude: at('packages/agent/test/frameworks/previous-claude'),
      }
    : {}),
};

export function refreshPackages(directory: string): void {
  if (!existsSync(join(directory, 'node_modules'))) {
    throw new Error(`The frameworks are not installed in ${directory}: run npm run test:frameworks.`);
  }
  for (const one of ['agent', 'client', 'core']) {
    const installed = join(directory, 'node_modules/@memhall', one);
    rmSync(installed, { recursive: true, force: true });
    for (const part of ['dist', 'package.json']) {
      cpSync(join(packages, one, part), join(installed, part), { recursive: true });
    }
  }
}
