import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { checkText, parseJsonBody } from '../../http/json-body.js';
import { toMoment } from '../../http/moment.js';
import { toHttpProblem } from '../../http/to-http-problem.js';
import { compileValidator } from '../../http/validation.js';
import type { ConversationMessage } from '../../ports/extractor.js';
import { ThreadLimitError } from '../../ports/threads.js';
import { type SnapshotBody, snapshotBody } from './snapshot-schemas.js';

/** Parsing and checking more than this takes long enough to make others wait. */
const mostBytesAtOnce = 256 * 1024;

interface SnapshotRequest {
  profileId: string;
  replay: boolean;
  /** JSON of `ConversationMessage[]`. */
  messages: Uint8Array;
}

const validate = compileValidator({ schema: snapshotBody, httpPart: 'body', method: 'POST', url: '' });

/** Reads the body of a snapshot, a large one in a thread. Throws INVALID_REQUEST, UNKNOWN_FIELD, UNSUPPORTED_CONTENT. */
export async function readSnapshotBody(engine: Engine, bytes: Uint8Array): Promise<SnapshotRequest> {
  if (bytes.length <= mostBytesAtOnce) return toSnapshotRequest(bytes);
  try {
    return await engine.threads.call({ module: import.meta.url, name: toSnapshotRequest.name }, bytes);
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    if (error.limit === 'too_large')
      throw new Problem('INVALID_REQUEST', 'The body has too many members. Send fewer and longer ones.');
    throw new Problem('UNAVAILABLE', 'The body could not be read in time. Try again later.', { retryAfterSeconds: 30 });
  }
}

/** Checks the shape first: it rejects most hostile bodies without looking at every member. */
export function toSnapshotRequest(bytes: Uint8Array): SnapshotRequest {
  const parsed = parseJsonBody(bytes);
  checkShape(parsed);
  checkText(parsed);
  const body = parsed as SnapshotBody;
  checkIds(body.messages);
  const messages = body.messages.map(({ id, role, content, timestamp }, index): ConversationMessage => {
    toMoment(`messages.${index}.timestamp`, timestamp);
    const text = toText(content, `messages.${index}.content`);
    return { id, role, content: text, ...(timestamp === undefined ? {} : { timestamp }) };
  });
  const { profile_id: profileId, replay } = body;
  return { profileId, replay, messages: Buffer.from(JSON.stringify(messages), 'utf8') };
}

function checkShape(parsed: unknown): void {
  const verdict = validate(parsed);
  if (verdict === true) return;
  const { error } = verdict as { error: unknown };
  throw toHttpProblem({ validation: error, validationContext: 'body' });
}

/** Ids must be unique because evidence refers to messages by id. */
function checkIds(messages: readonly { id: string }[]): void {
  const ids = new Set(messages.map(({ id }) => id));
  if (ids.size < messages.length)
    throw new Problem('INVALID_REQUEST', 'Two messages have the same id. Message ids must be unique.');
}

function toText(content: SnapshotBody['messages'][number]['content'], name: string): string {
  if (typeof content === 'string') return content;
  const texts = content.map(({ type, text }, index) => {
    if (type !== 'text') {
      throw new Problem(
        'UNSUPPORTED_CONTENT',
        `"${name}.${index}" must be of type text. Leave other parts out, or send a text in their place.`,
      );
    }
    if (text === undefined) throw new Problem('INVALID_REQUEST', `"${name}.${index}.text" is required.`);
    return text;
  });
  return texts.join('\n');
}
