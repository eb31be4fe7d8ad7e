import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import { type MemoryConfiguration, parseMemoryConfiguration } from './memory-configuration.js';
import { type FileTrust, refuseRedirects } from './refuse-redirects.js';

export const agentDirectory = '.beaver';

/**
 * Loads the section `memory` of `.beaver/config.json` in a directory. Defaults to curated memory if it is missing. Rejects with a
 * StartUpError if it would lead memory to a host that nobody allowed.
 */
export async function loadMemoryConfiguration(directory: string, trust?: FileTrust): Promise<MemoryConfiguration> {
  return parseMemoryConfiguration(await loadMemorySection(directory, trust));
}

/** Returns the unparsed section. Undefined if the file or the section is missing. */
export async function loadMemorySection(directory: string, trust?: FileTrust): Promise<unknown> {
  const path = join(directory, agentDirectory, 'config.json');
  const text = await readIfThere(path);
  const section = text === undefined ? undefined : readSection(path, text);
  refuseRedirects(section, directory, trust);
  return section;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartUpError(`Configuration: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Drops the parser's message, because it quotes the file and so perhaps the key. */
function readSection(path: string, text: string): unknown {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new StartUpError(`Configuration: ${path} is not JSON.`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new StartUpError(`Configuration: ${path} must contain an object.`);
  }
  return 'memory' in content ? content.memory : undefined;
}
