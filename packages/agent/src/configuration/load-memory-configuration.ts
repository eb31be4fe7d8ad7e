import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import { type MemoryConfiguration, parseMemoryConfiguration } from './memory-configuration.js';

export const agentDirectory = '.beaver';

/** The section `memory` of `.beaver/config.json` in a directory; curated memory where there is no such file or section. */
export async function loadMemoryConfiguration(directory: string): Promise<MemoryConfiguration> {
  return parseMemoryConfiguration(await loadMemorySection(directory));
}

/** The section as it stands; undefined where there is no such file or section. */
export async function loadMemorySection(directory: string): Promise<unknown> {
  const path = join(directory, agentDirectory, 'config.json');
  const text = await readIfThere(path);
  return text === undefined ? undefined : readSection(path, text);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartUpError(`Configuration: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** What the parser says about broken JSON quotes the file, and so perhaps the key: it is not passed on. */
function readSection(path: string, text: string): unknown {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new StartUpError(`Configuration: ${path} is not JSON.`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new StartUpError(`Configuration: ${path} must hold an object.`);
  }
  return 'memory' in content ? content.memory : undefined;
}
