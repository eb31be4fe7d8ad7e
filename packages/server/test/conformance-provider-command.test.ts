import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from './support/command.js';

const example = fileURLToPath(new URL('../../../examples/providers/in-memory/provider.mjs', import.meta.url));
const run = (...args: readonly string[]) => runCommand(['conformance', 'provider', ...args], {});

describe('memhall conformance provider', () => {
  it('checks a module against the contract', async () => {
    const { code, stdout, stderr } = await run('--module', example);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}ok {4}PROVIDER-CAP-02 {2,}One byte more/m);
    expect(stdout).toMatch(/^Passed: 67 passed, 4 not applicable; /m);
  });

  it('lists the requirements without loading a module', async () => {
    const { code, stdout } = await run('--list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}PROVIDER-SCAN-05 +must +Read returns a placeholder.*\[plant, read\]$/m);
  });

  it.each([
    ['nothing to test', [], /Give exactly one of --module and --target/],
    [
      'two things to test',
      ['--module', example, '--target', 'http://127.0.0.1:1'],
      /Give exactly one of --module and --target/,
    ],
    ['a module that is not there', ['--module', './nowhere.js'], /cannot be loaded/],
    ['a server without a token', ['--target', 'http://127.0.0.1:1'], /requires a token/],
    ['a target that is no URL', ['--target', 'nowhere', '--token', 'x'], /must be a URL/],
    [
      'nobody at the target',
      ['--target', 'http://127.0.0.1:1', '--token', 'x'],
      /http:\/\/127\.0\.0\.1:1 does not respond/,
    ],
  ])('exits with 2 on %s', async (_name, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
