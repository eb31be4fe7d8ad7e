import type { Extraction, ExtractionInput, Extractor } from '../../../ports/extractor.js';
import { ExtractorError } from '../../../ports/extractor-error.js';
import type { RetryOptions } from '../../retry.js';
import { createRulesExtractor } from '../rules/rules-extractor.js';
import type { Answer } from './answer.js';
import { ChatModel } from './chat-model.js';
import { checkDigest } from './check-digest.js';
import { checkFacts } from './check-facts.js';
import { chooseMessages, instructions, instructionsVersion, toDocument } from './instructions.js';
import { readConversation } from './readable-conversation.js';
import type { OnRefused } from './refusal.js';

export interface LlmExtractorOptions {
  /** Up to and including the version, as in `https://host/v1`. */
  baseUrl: string;
  model: string;
  apiKey?: string | undefined;
  /** For a whole call with all its attempts, default 60,000. */
  timeoutMs?: number | undefined;
  /** Estimated tokens of the conversation, default 12,000; the middle of longer ones is left out. */
  maxInputTokens?: number | undefined;
  /** Default 4,000. */
  maxOutputTokens?: number | undefined;
  /** How often an answer that violates the schema is requested again, default 2. */
  maxRepeats?: number | undefined;
  /** For failed requests. Default: 3 retries, from 500 ms to at most 10,000 ms apart. */
  retry?: Partial<RetryOptions> | undefined;
  onRefused?: OnRefused | undefined;
}

const defaults = { timeoutMs: 60_000, maxInputTokens: 12_000, maxOutputTokens: 4000, maxRepeats: 2 };

/**
 * Lets a model select what is worth remembering. The model only selects; code decides, see `checkFacts`. The model is
 * not called if the user said nothing that may be shown to it. Serializing or inspecting the extractor never reveals
 * the key.
 */
export function createLlmExtractor(options: LlmExtractorOptions): Extractor {
  const timeoutMs = options.timeoutMs ?? defaults.timeoutMs;
  const model = new ChatModel({
    baseUrl: options.baseUrl,
    model: options.model,
    apiKey: options.apiKey,
    timeoutMs,
    maxOutputTokens: options.maxOutputTokens ?? defaults.maxOutputTokens,
    retry: { maxRetries: 3, baseDelayMs: 500, maxDelayMs: 10_000, givesUpOnLongWaits: true, ...options.retry },
  });
  const maxInputTokens = options.maxInputTokens ?? defaults.maxInputTokens;
  const maxRepeats = options.maxRepeats ?? defaults.maxRepeats;
  const onRefused = options.onRefused ?? (() => undefined);
  const rules = createRulesExtractor();

  async function extract(
    { messages, known = [], attributes = [] }: ExtractionInput,
    signal: AbortSignal,
  ): Promise<Extraction> {
    // The model can only refer to messages it has seen.
    const conversation = chooseMessages(await readConversation(messages, signal), maxInputTokens);
    if (!conversation.some(({ role, shown }) => role === 'user' && shown !== ''))
      return { digest: null, facts: [], confirmed: [] };
    const document = toDocument(conversation, { known, attributes }, maxInputTokens);
    const answer = await askUntilValid(model, document, maxRepeats, signal);
    const facts = checkFacts(answer.facts, conversation, { messages, known, attributes }, onRefused);
    // The model is asked only for new facts; the rules find known facts that were stated again.
    const heard = await rules.extract({ messages, known }, { signal });
    return {
      facts,
      confirmed: heard.confirmed.filter(({ text }) => !facts.some(({ supersedes }) => supersedes === text)),
      digest: checkDigest(answer.digest, conversation, messages, onRefused) ?? heard.digest,
    };
  }

  return {
    name: `llm-${instructionsVersion}:${options.model}`,
    deterministic: false,
    local: false,
    extract: (input, { signal } = {}) =>
      withDeadline(timeoutMs, model.address, signal, (ending) => extract(input, ending)),
  };
}

async function askUntilValid(
  model: ChatModel,
  document: string,
  maxRepeats: number,
  signal: AbortSignal,
): Promise<Answer> {
  let fault: string | undefined;
  for (let asked = 0; asked <= maxRepeats; asked++) {
    const read = await model.ask({ instructions, document, fault }, signal);
    if ('answer' in read) return read.answer;
    fault = read.fault;
  }
  const message = `The extraction model at ${model.address} gave no usable answer in ${maxRepeats + 1} attempts: ${fault}`;
  throw new ExtractorError('invalid-response', message);
}

/**
 * Uses a timer, because signals made by AbortSignal.any and .timeout may be garbage-collected and then never fire in
 * Node 20.
 */
async function withDeadline<T>(
  timeoutMs: number,
  address: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const late = new ExtractorError('unavailable', `The extraction model at ${address} took more than ${timeoutMs} ms`);
  const timer = setTimeout(() => ending.abort(late), timeoutMs);
  const onAbort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
