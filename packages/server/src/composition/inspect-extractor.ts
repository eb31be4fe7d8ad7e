import { StartUpError } from '@memhall/core';
import type { Config } from '../config/settings.js';
import { ExtractorError } from '../ports/extractor-error.js';
import { noTelemetry } from '../ports/telemetry.js';
import { openExtractor } from '../providers/extractors/open-extractor.js';

/** Tries the configured extractor on one sentence and returns its name. Throws StartUpError if it fails. */
export async function inspectExtractor(config: Config): Promise<string> {
  const extractor = await openExtractor(config, noTelemetry);
  if (extractor === null) throw new StartUpError('No extractor is configured.');
  try {
    await extractor.extract({ messages: [{ id: '1', role: 'user', content: 'I live in Oslo.' }] });
    return extractor.name;
  } catch (error) {
    if (!(error instanceof ExtractorError)) throw error;
    const message = `The extractor does not work: ${error.message}. Check the MEMHALL_EXTRACTOR settings.`;
    throw new StartUpError(message, { cause: error });
  }
}
