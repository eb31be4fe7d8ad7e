import { StartUpError } from '@memhall/core';
import type { Extractor } from '../../ports/extractor.js';
import { ExtractorError } from '../../ports/extractor-error.js';
import type { Telemetry } from '../../ports/telemetry.js';
import { createRulesExtractor } from './rules/rules-extractor.js';

export interface ExtractorSettings {
  extractor: 'rules' | 'llm' | 'none';
  extractorUrl: string | undefined;
  extractorModel: string | undefined;
  extractorKey: string | undefined;
  extractorTimeoutMs: number;
}

/**
 * Returns the configured extractor; null for none. Makes no requests: a model that is down makes single calls fail with
 * `unavailable`, to be retried later, and is never replaced by another extractor.
 */
export async function openExtractor(
  settings: ExtractorSettings,
  telemetry: Pick<Telemetry, 'countExtractionRefusals'>,
): Promise<Extractor | null> {
  if (settings.extractor === 'none') return null;
  if (settings.extractor === 'rules') return createRulesExtractor();
  const { createLlmExtractor } = await import('./llm/llm-extractor.js');
  try {
    const extractor = createLlmExtractor({
      baseUrl: settings.extractorUrl ?? '',
      model: settings.extractorModel ?? '',
      apiKey: settings.extractorKey,
      timeoutMs: settings.extractorTimeoutMs,
      onRefused: (reason, count) => telemetry.countExtractionRefusals(extractor.name, reason, count),
    });
    return extractor;
  } catch (error) {
    if (!(error instanceof ExtractorError)) throw error;
    const message = `The extractor cannot be used: ${error.message}. Check MEMHALL_EXTRACTOR and its related settings.`;
    throw new StartUpError(message, { cause: error });
  }
}
