import type { LanguageModelMiddleware } from 'ai';
import type { MemoryBackend } from '../memory/memory-backend.js';
import { RecallOnceBackend } from '../memory/recall-once-backend.js';
import { beginTurn, type MemoryTurn, type TurnRequest } from './begin-turn.js';
import { contentText, spokenTexts } from './remember-messages.js';

export interface MemoryMiddlewareOptions extends Pick<TurnRequest, 'sessionId' | 'audit' | 'now'> {
  memory: MemoryBackend;
  /**
   * `once`, the default: at the first prompt for which something is found; give the model the tool of `memorySearch` for the
   * rest. `every_prompt`: for each prompt.
   */
  recall?: 'once' | 'every_prompt';
}

type CallParameters = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
type StreamPart =
  Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'] extends ReadableStream<infer P>
    ? P
    : never;

interface OpenTurn {
  /** Position and text of the last user message. The turn lasts while this stays the same. */
  key: string;
  begun: Promise<MemoryTurn>;
}

/**
 * Creates a memory middleware for `wrapLanguageModel`. Use one middleware per conversation. All calls of a tool loop
 * are one turn: the same memories are shown in every call, and the turn is remembered when a call ends without
 * requesting a tool. Calls without a user message are passed through unchanged.
 */
export function createMemoryMiddleware({
  memory: given,
  recall = 'once',
  ...request
}: MemoryMiddlewareOptions): LanguageModelMiddleware {
  const memory = recall === 'once' ? new RecallOnceBackend(given) : given;
  const turns = new WeakMap<CallParameters, OpenTurn>();
  let current: OpenTurn | undefined;

  function turnOf({ prompt, abortSignal }: CallParameters): OpenTurn | undefined {
    const position = prompt.findLastIndex(({ role }) => role === 'user');
    const text = contentText(prompt[position]?.content);
    if (text.trim() === '') return undefined;
    const key = `${position} ${text}`;
    if (current?.key === key) return current;
    const signal = abortSignal === undefined ? {} : { signal: abortSignal };
    const shown = spokenTexts(prompt.slice(0, position));
    const turn = { key, begun: beginTurn(memory, { ...request, prompt: text, shown, ...signal }) };
    turn.begun.catch(() => end(turn));
    current = turn;
    return turn;
  }

  function end(turn: OpenTurn): void {
    if (current === turn) current = undefined;
  }

  async function complete(parameters: CallParameters, answer: string, finishReason: string): Promise<void> {
    const turn = turns.get(parameters);
    if (turn === undefined || finishReason === 'tool-calls' || finishReason === 'error' || answer.trim() === '') return;
    end(turn);
    await (await turn.begun).complete(answer);
  }

  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      const turn = turnOf(params);
      if (turn === undefined) return params;
      const shown = { ...params, prompt: withMemory(params.prompt, await turn.begun) };
      turns.set(shown, turn);
      return shown;
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      await complete(params, contentText(result.content), toReason(result.finishReason));
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(whenFinished((...end) => complete(params, ...end))) };
    },
  };
}

function withMemory(prompt: CallParameters['prompt'], { system, reference }: MemoryTurn): CallParameters['prompt'] {
  const from = prompt.findIndex(({ role }) => role !== 'system');
  return [
    ...prompt.slice(0, from),
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...(reference === undefined
      ? []
      : [{ role: 'user' as const, content: [{ type: 'text' as const, text: reference }] }]),
    ...prompt.slice(from),
  ];
}

/** Passes everything through and ends after `finish` has resolved. `finish` is not called if the stream breaks. */
function whenFinished(finish: (text: string, finishReason: string) => Promise<void>) {
  let text = '';
  let finishReason = 'error';
  return new TransformStream<StreamPart, StreamPart>({
    transform(part, controller) {
      if (part.type === 'text-delta') text += part.delta;
      if (part.type === 'finish') finishReason = toReason(part.finishReason);
      controller.enqueue(part);
    },
    flush: () => finish(text, finishReason),
  });
}

/** Models of the AI SDK 5 give the reason as a text. */
function toReason(reason: string | { unified: string }): string {
  return typeof reason === 'string' ? reason : reason.unified;
}
