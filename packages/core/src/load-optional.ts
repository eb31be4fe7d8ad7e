import { StartUpError } from './start-up-error.js';

/** Loads packages that are installed only where they are needed. Throws StartUpError if they are missing. */
export async function loadOptional<T>(
  purpose: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message = `${purpose} needs packages that are not installed. Run \`npm install ${packages.join(' ')}\`.`;
    throw new StartUpError(message, { cause: error });
  }
}
