import type { AssistantModelMessage, ModelMessage, ToolResultPart, UserModelMessage } from 'ai';
import { textOf } from '../sessions/message-text.js';
import { shortenText } from '../text/shorten-text.js';

/** Texts are not shortened below this length. If that is still too much, the steps between prompt and answer go. */
const shortestText = 200;
const noFile = '[A file was left out.]';

type UserPart = Exclude<UserModelMessage['content'], string>[number];
type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number];

/**
 * Shortens the longest texts of a turn until its JSON has at most `maxCharacters`. Keeps every message, so that tool
 * calls keep their results; if that is too much, keeps only the prompt and the final answer. Returns undefined if even
 * those do not fit.
 */
export function shortenTurn(messages: readonly ModelMessage[], maxCharacters: number): ModelMessage[] | undefined {
  return cutToFit(messages, maxCharacters) ?? cutToFit(withoutSteps(messages), maxCharacters);
}

/** Returns how much room a turn takes. */
export function sizeOfTurn(messages: readonly ModelMessage[]): number {
  return JSON.stringify(messages).length;
}

/** Finds the largest length of a text with which the turn fits. */
function cutToFit(messages: readonly ModelMessage[], maxCharacters: number): ModelMessage[] | undefined {
  let [fitting, low, high] = [cutTexts(messages, shortestText), shortestText, Math.max(shortestText, maxCharacters)];
  if (sizeOfTurn(fitting) > maxCharacters) return undefined;
  while (high - low > shortestText) {
    const length = Math.floor((low + high) / 2);
    const cut = cutTexts(messages, length);
    if (sizeOfTurn(cut) > maxCharacters) high = length;
    else [fitting, low] = [cut, length];
  }
  return fitting;
}

function withoutSteps(messages: readonly ModelMessage[]): ModelMessage[] {
  const answer = messages.findLast(({ role }) => role === 'assistant');
  return [
    ...messages.filter(({ role }) => role === 'user'),
    ...(answer === undefined ? [] : [{ role: 'assistant' as const, content: textOf(answer) }]),
  ];
}

function cutTexts(messages: readonly ModelMessage[], maxLength: number): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    const { content } = message;
    if (typeof content === 'string') return { ...message, content: shortenText(content, maxLength) } as ModelMessage;
    return { ...message, content: content.map((part) => cutPart(part, maxLength)) } as ModelMessage;
  });
}

type Part = UserPart | AssistantPart | Exclude<Extract<ModelMessage, { role: 'tool' }>['content'], string>[number];

function cutPart(part: Part, maxLength: number): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: shortenText(part.text, maxLength) };
    case 'tool-call': {
      const input = JSON.stringify(part.input) ?? '';
      // Services expect an object here.
      return input.length <= maxLength ? part : { ...part, input: { shortened: shortenText(input, maxLength) } };
    }
    case 'tool-result':
      return { ...part, output: cutOutput(part.output, maxLength) };
    case 'file':
    case 'image':
      return JSON.stringify(part).length <= maxLength ? part : { type: 'text', text: noFile };
    default:
      return part;
  }
}

function cutOutput(output: ToolResultPart['output'], maxLength: number): ToolResultPart['output'] {
  if (!('value' in output)) return output;
  const text = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  if (text.length <= maxLength) return output;
  const isError = output.type === 'error-text' || output.type === 'error-json';
  return { type: isError ? 'error-text' : 'text', value: shortenText(text, maxLength) };
}
