import { addFound, type FoundSecrets, type OptionalLabel, redact } from '@memhall/core';
import type { ConversationMessage } from '../../ports/extractor.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { SnapshotContent } from './snapshot.js';

/** Reading more than this takes long enough to make others wait. */
const mostBytesAtOnce = 256 * 1024;

interface StoredConversation {
  messages: ConversationMessage[];
  found: FoundSecrets;
}

/** Returns the messages of a snapshot without secrets. A large one is read in a thread. */
export async function readStoredConversation(
  engine: Engine,
  caller: Caller,
  json: Uint8Array,
  signal?: AbortSignal,
): Promise<ConversationMessage[]> {
  const input = { json, also: await engine.tenants.alsoRedacted(scopeOf(caller)) };
  const task = { module: import.meta.url, name: redactConversation.name };
  const { messages, found } =
    json.length <= mostBytesAtOnce
      ? redactConversation(input)
      : await engine.threads.call<StoredConversation>(task, input, { signal });
  engine.telemetry.countRedactions(found);
  return messages;
}

export function redactConversation({
  json,
  also,
}: {
  json: Uint8Array;
  also: readonly OptionalLabel[];
}): StoredConversation {
  const { messages }: SnapshotContent = JSON.parse(new TextDecoder().decode(json));
  const found: FoundSecrets = {};
  const redacted = messages.map((message) => {
    const redaction = redact(message.content, also);
    addFound(found, redaction.found);
    return { ...message, content: redaction.text };
  });
  return { messages: redacted, found };
}
