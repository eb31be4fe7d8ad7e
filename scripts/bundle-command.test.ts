import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const directory = new URL('../packages/server/dist/command/', import.meta.url);
const files = readdirSync(fileURLToPath(directory)).filter((name) => name.endsWith('.js'));
const urls = files.flatMap((name) => {
  const code = readFileSync(new URL(name, directory), 'utf8');
  return [...code.matchAll(/(?:new URL\("([^"]+)", )?import\.meta\.url/g)].map(([, path]) => path);
});

describe('the bundled command', () => {
  it('finds worker threads, migrations and the starter where the modules would', () => {
    expect(urls.length).toBeGreaterThan(10);
    for (const path of urls) {
      expect(path).toMatch(/^\.\.\/.*\.js$/);
      expect(existsSync(new URL(path ?? '', directory))).toBe(true);
    }
  });

  it('carries the license of the code it includes', () => {
    expect(readFileSync(new URL('typebox.LICENSE', directory), 'utf8')).toContain('MIT');
  });
});
