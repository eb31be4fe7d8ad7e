import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationMessage, Extraction, ExtractionInput, Extractor } from '../../../ports/extractor.js';
import { Candidates } from './candidates.js';
import { DigestSource } from './digest.js';
import { settleFacts } from './settle-facts.js';
import { longestRead, readUserTurn } from './user-turn.js';

/** Part of the name that is stored with what was proposed: change it when the rules change. */
const rulesVersion = 1;

/** How much is read before other work gets its turn. */
const readAtOnce = 200_000;

/** Finds what is worth remembering by rules alone: no model, no network, the same answer every time. English. */
export function createRulesExtractor(): Extractor {
  return { name: `rules-${rulesVersion}`, deterministic: true, extract };
}

async function extract(
  { messages, known = [] }: ExtractionInput,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Extraction> {
  const candidates = new Candidates(known);
  const digest = new DigestSource();
  let read = 0;
  for (const [place, message] of messages.entries()) {
    signal?.throwIfAborted();
    readMessage(message, place, candidates, digest);
    read += Math.min(message.content.length, longestRead);
    if (read < readAtOnce) continue;
    read = 0;
    await nextTurn();
  }
  signal?.throwIfAborted();
  const facts = settleFacts(candidates.standing, known, messages);
  return { digest: digest.compose(messages, candidates.said, candidates.withdrawn), facts };
}

function readMessage(message: ConversationMessage, place: number, candidates: Candidates, digest: DigestSource): void {
  if (message.role === 'assistant') {
    candidates.addAssistant(message, place);
    digest.addAssistant(message.content.slice(0, longestRead).toWellFormed());
  }
  if (message.role !== 'user') return;
  const turn = readUserTurn(message, place);
  candidates.addUser(turn);
  if (!turn.injects) digest.addUser(turn.own, place);
}
