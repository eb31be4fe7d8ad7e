import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const exampleSource = fileURLToPath(new URL('../../../../examples/plugins/flat-file/', import.meta.url));

const token = 'shared';

/** A place in the example's source and its replacement. */
export interface Edit {
  file: string;
  find: string;
  put: string;
}

export interface ExamplePlugin {
  url: string;
  token: string;
  directory: string;
  stop(): Promise<void>;
}

/** Starts the example plugin in a separate process, unchanged or with edits. */
export async function startExample({
  edits = [],
  socket = false,
}: {
  edits?: readonly Edit[];
  socket?: boolean;
} = {}): Promise<ExamplePlugin> {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-plugin-'));
  cpSync(exampleSource, directory, { recursive: true });
  for (const edit of edits) applyEdit(directory, edit);
  const place = socket ? ['--socket', join(directory, 'plugin.sock')] : ['--port', '0'];
  const child = spawn(
    process.execPath,
    [join(directory, 'plugin.mjs'), ...place, '--file', join(directory, 'memories.jsonl')],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, PLUGIN_TOKEN: token } },
  );
  const ended = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => {
      throw new Error(`the plugin ended with ${code} before it listened`);
    }),
  ]);
  return {
    url: JSON.parse(String(line[0])).url,
    token,
    directory,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

/** Throws unless the edit changes exactly one place. */
function applyEdit(directory: string, { file, find, put }: Edit): void {
  const path = join(directory, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places like ${JSON.stringify(find)}`);
  writeFileSync(path, parts.join(put));
}
