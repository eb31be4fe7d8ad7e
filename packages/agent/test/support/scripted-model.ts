import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

type Call = MockLanguageModelV3['doGenerateCalls'][number];
type GenerateResult = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Content = GenerateResult['content'][number];
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

const usage: GenerateResult['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** One answer of the model: text, a tool call, several parts, or an error to throw. */
export type Scripted = string | readonly Content[] | Error;

export function callTool(toolName: string, input: object, toolCallId = 'call-1'): Content {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) };
}

/** Streams a text a few characters at a time. */
function toStreamParts(part: Content, id: string): StreamPart[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part as StreamPart];
  const deltas = part.text.match(/.{1,5}/gsu) ?? [];
  return [
    { type: `${part.type}-start`, id },
    ...deltas.map((delta) => ({ type: `${part.type}-delta` as const, id, delta })),
    { type: `${part.type}-end`, id },
  ];
}

/**
 * Returns the answers of a script in order and then repeats the last one. The only part that is replaced in these
 * tests.
 */
export class ScriptedModel {
  readonly #mock: MockLanguageModelV3;

  constructor(script: readonly Scripted[], onCall: (call: Call) => void = () => {}) {
    let position = 0;
    const next = (call: Call) => {
      onCall(call);
      const answer = script[Math.min(position++, script.length - 1)] ?? '';
      if (answer instanceof Error) throw answer;
      const content: Content[] = typeof answer === 'string' ? [{ type: 'text', text: answer }] : [...answer];
      const reason = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
      return { content, finishReason: { unified: reason, raw: reason } as const };
    };
    this.#mock = new MockLanguageModelV3({
      doGenerate: async (call) => ({ ...next(call), usage, warnings: [] }),
      doStream: async (call) => {
        const { content, finishReason } = next(call);
        const parts = content.flatMap((part, n) => toStreamParts(part, `${n}`));
        const chunks: StreamPart[] = [{ type: 'stream-start', warnings: [] }, ...parts];
        return { stream: simulateReadableStream({ chunks: [...chunks, { type: 'finish', finishReason, usage }] }) };
      },
    });
  }

  get model(): MockLanguageModelV3 {
    return this.#mock;
  }

  get calls(): readonly Call[] {
    return [...this.#mock.doGenerateCalls, ...this.#mock.doStreamCalls];
  }

  /** Returns the messages of a model call as `role: text`. */
  shown(call = 0): string[] {
    return (this.calls[call]?.prompt ?? []).map(({ role, content }) => {
      const text =
        typeof content === 'string'
          ? content
          : content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('');
      return `${role}: ${text}`;
    });
  }

  toolsOf(call = 0): string[] {
    return (this.calls[call]?.tools ?? []).map(({ name }) => name);
  }
}
