import type { Extraction, ExtractionInput, Extractor } from '../../../ports/extractor.js';
import { ExtractorError } from '../../../ports/extractor-error.js';
import { ThreadLimitError, type Threads } from '../../../ports/threads.js';
import { createRulesExtractor } from './rules-extractor.js';

/** Characters of a conversation that is read without a thread. */
const shortConversation = 256 * 1024;

/** Reads long conversations in threads: parts of the rules look at all messages at once. */
export function withThreads(rules: Extractor, threads: Threads): Extractor {
  return {
    ...rules,
    async extract(input, options = {}) {
      if (lengthOf(input) <= shortConversation) return rules.extract(input, options);
      const task = { module: import.meta.url, name: extractByRules.name };
      try {
        return await threads.call<Extraction>(task, input, options);
      } catch (error) {
        if (!(error instanceof ThreadLimitError)) throw error;
        throw new ExtractorError('unavailable', 'The conversation could not be read in time');
      }
    },
  };
}

/** Runs in the thread. */
export function extractByRules(input: ExtractionInput): Promise<Extraction> {
  return createRulesExtractor().extract(input);
}

function lengthOf({ messages }: ExtractionInput): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
