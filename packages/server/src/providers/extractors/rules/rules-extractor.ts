import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationMessage, Extraction, ExtractionInput, Extractor } from '../../../ports/extractor.js';
import { Candidates } from './candidates.js';
import { DigestSource } from './digest.js';
import { preparePatterns } from './prepare-patterns.js';
import { settleFacts } from './settle-facts.js';
import { readUserTurn } from './user-turn.js';

/** Part of the name stored with proposals: change it when the rules change. */
const rulesVersion = 2;

/** Long enough to show what an answer is about. */
const longestAnswer = 4000;
/** How long messages are read before yielding to other work. */
const mostAtOnceMs = 10;

/**
 * Creates an extractor that uses only rules: no model, no network, always the same result. Reads English, German,
 * French and Spanish.
 */
export function createRulesExtractor(): Extractor {
  return { name: `rules-${rulesVersion}`, deterministic: true, local: true, extract };
}

async function extract(
  { messages, known = [] }: ExtractionInput,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Extraction> {
  const candidates = new Candidates(known);
  const digest = new DigestSource();
  let sinceMs = performance.now();
  for (const [place, message] of messages.entries()) {
    if (performance.now() - sinceMs > mostAtOnceMs) {
      await nextTurn();
      sinceMs = performance.now();
    }
    signal?.throwIfAborted();
    await preparePatterns(message.content.slice(0, longestAnswer));
    readMessage(message, place, candidates, digest);
  }
  signal?.throwIfAborted();
  const settled = settleFacts(candidates.standing, known, messages);
  return { digest: digest.compose(messages, candidates.said, candidates.withdrawn), ...settled };
}

function readMessage(message: ConversationMessage, place: number, candidates: Candidates, digest: DigestSource): void {
  if (message.role === 'assistant') {
    candidates.addAssistant(message, place);
    digest.addAssistant(message.content.slice(0, longestAnswer).toWellFormed());
  }
  if (message.role !== 'user') return;
  const turn = readUserTurn(message, place);
  candidates.addUser(turn);
  if (!turn.injects) digest.addUser(turn.own, place);
}
