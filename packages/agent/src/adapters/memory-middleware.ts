import type { LanguageModelMiddleware } from 'ai';
import type { MemoryBackend } from '../memory/memory-backend.js';
import { beginTurn, type MemoryTurn, type TurnRequest } from './begin-turn.js';
import { contentText } from './remember-messages.js';

export interface MemoryMiddlewareOptions extends Pick<TurnRequest, 'sessionId' | 'audit' | 'now'> {
  memory: MemoryBackend;
}

type CallParameters = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
type StreamPart =
  Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'] extends ReadableStream<infer P>
    ? P
    : never;

/**
 * Memory for `wrapLanguageModel`: one middleware for one conversation. The calls of a tool loop are one turn: recalled once,
 * shown the same in each, remembered when one of them ends without asking for a tool. Calls without a user message pass.
 */
export function createMemoryMiddleware({ memory, ...request }: MemoryMiddlewareOptions): LanguageModelMiddleware {
  const turns = new WeakMap<CallParameters, MemoryTurn>();
  let current: { key: string; turn: Promise<MemoryTurn> } | undefined;

  /** A turn goes on as long as the user has said nothing new. */
  function turnOf({ prompt, abortSignal }: CallParameters): Promise<MemoryTurn> | undefined {
    const position = prompt.findLastIndex(({ role }) => role === 'user');
    const text = contentText(prompt[position]?.content);
    if (text.trim() === '') return undefined;
    const key = `${position} ${text}`;
    if (current?.key !== key) {
      const signal = abortSignal === undefined ? {} : { signal: abortSignal };
      const turn = beginTurn(memory, { ...request, prompt: text, ...signal });
      current = { key, turn };
      turn.catch(() => {
        current = undefined;
      });
    }
    return current.turn;
  }

  async function complete(parameters: CallParameters, answer: string, finishReason: string): Promise<void> {
    const turn = turns.get(parameters);
    if (turn === undefined || finishReason === 'tool-calls' || finishReason === 'error' || answer.trim() === '') return;
    current = undefined;
    await turn.complete(answer);
  }

  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      const turn = await turnOf(params);
      if (turn === undefined) return params;
      const shown = { ...params, prompt: withMemory(params.prompt, turn) };
      turns.set(shown, turn);
      return shown;
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      await complete(params, contentText(result.content), result.finishReason.unified);
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

/** Passes everything on, and ends when what is to be done with the text is done. A broken stream is none of its business. */
function whenFinished(finish: (text: string, finishReason: string) => Promise<void>) {
  let text = '';
  let finishReason = 'error';
  return new TransformStream<StreamPart, StreamPart>({
    transform(part, controller) {
      if (part.type === 'text-delta') text += part.delta;
      if (part.type === 'finish') finishReason = part.finishReason.unified;
      controller.enqueue(part);
    },
    flush: () => finish(text, finishReason),
  });
}
