import {
  type CallSettings,
  type GenerateTextResult,
  type LanguageModel,
  type ModelMessage,
  type StopCondition,
  streamText,
  type ToolSet,
} from 'ai';
import type { PartListener } from './agent-run-stream.js';
import { RedactedStream, type StreamRedaction } from './redacted-stream.js';

/** What `generateText` and `streamText` are called with. */
export interface ModelCall extends CallSettings {
  model: LanguageModel;
  system: string;
  messages: ModelMessage[];
  tools: ToolSet;
  stopWhen: StopCondition<ToolSet>;
  prepareStep: (step: { messages: ModelMessage[] }) => Promise<{ messages: ModelMessage[] }>;
}

type StreamedAnswer = Pick<
  GenerateTextResult<ToolSet, never>,
  'finishReason' | 'totalUsage' | 'steps' | 'text' | 'response'
>;

/**
 * Does the same as `generateText`, and reports text and tool steps as they arrive. Rejects with the original error of the
 * model or a callback, or with the reason of the aborted signal.
 */
export async function streamAnswer(
  call: ModelCall,
  onPart: PartListener,
  redaction: StreamRedaction & { redactAny: <T>(value: T) => T },
): Promise<StreamedAnswer> {
  // Errors are thrown below. By default, the SDK also writes them to the console.
  const stream = streamText({ ...call, onError: () => {} });
  const text = new RedactedStream(redaction);
  const showText = (shown: string) => {
    if (shown !== '') onPart({ type: 'text', text: shown });
  };
  for await (const part of stream.fullStream) {
    if (part.type === 'text-delta') {
      showText(text.add(part.text));
      continue;
    }
    switch (part.type) {
      case 'error':
        throw part.error;
      case 'abort':
        throw call.abortSignal?.reason;
      case 'tool-call': {
        const { toolCallId, toolName, input } = part;
        showText(text.end());
        onPart(redaction.redactAny({ type: 'tool_call', toolCallId, toolName, input }));
        break;
      }
      case 'tool-result': {
        const { toolCallId, toolName, output, preliminary = false } = part;
        if (!preliminary) onPart(redaction.redactAny({ type: 'tool_result', toolCallId, toolName, output }));
        break;
      }
      case 'tool-error': {
        const { toolCallId, toolName, error } = part;
        const message = error instanceof Error ? error.message : String(error);
        onPart(redaction.redactAny({ type: 'tool_failed', toolCallId, toolName, error: message }));
        break;
      }
      case 'finish-step':
        showText(text.end());
        break;
      default:
    }
  }
  const { finishReason, totalUsage, steps, response } = stream;
  return {
    finishReason: await finishReason,
    totalUsage: await totalUsage,
    steps: await steps,
    text: await stream.text,
    response: (await response) as StreamedAnswer['response'],
  };
}
