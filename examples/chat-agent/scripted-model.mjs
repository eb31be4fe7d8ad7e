import { simulateReadableStream } from 'ai';

/** @typedef {Exclude<import('ai').LanguageModel, string> & { specificationVersion: 'v3' }} Model */
/** @typedef {Parameters<Model['doGenerate']>[0]} Call */

/** Returns the words of at least four letters, in lower case. @param {string} text */
function wordsOf(text) {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
}

/** Returns all text of a message. @param {Call['prompt'][number]} message */
function textOf({ content }) {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/**
 * Returns curated notes, which are list items in the system prompt, recalled memories, which are JSON lines, and what the
 * user said earlier.
 *
 * @param {Call['prompt']} prompt
 */
function knownFacts(prompt) {
  return prompt
    .flatMap((message) => {
      const lines = textOf(message).split('\n');
      if (message.role === 'system') return lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));
      if (message.role !== 'user') return [];
      if (lines[0] !== '<recalled_memory>') return lines;
      return lines.filter((line) => line.startsWith('{')).flatMap((line) => String(JSON.parse(line).text).split('\n'));
    })
    .map((fact) => fact.replace(/^\w+: /, ''))
    .filter((fact) => fact.endsWith('.'));
}

/** @param {string} question @param {readonly string[]} facts */
function answer(question, facts) {
  const asked = new Set(wordsOf(question));
  const [best] = facts
    .map((fact) => ({ fact, hits: wordsOf(fact).filter((word) => asked.has(word)).length }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits);
  return best === undefined ? 'I do not know.' : `You told me: ${best.fact}`;
}

/** Imitates a model by rules: stores statements, and answers questions from the prompt. @param {Call} call */
function respond({ prompt, tools = [] }) {
  const last = prompt.at(-1);
  const said = last === undefined || last.role === 'tool' ? '' : textOf(last);
  if (said.endsWith('?'))
    return { type: /** @type {const} */ ('text'), text: answer(said, knownFacts(prompt.slice(0, -1))) };
  if (said === '' || !tools.some(({ name }) => name === 'memory'))
    return { type: /** @type {const} */ ('text'), text: 'Noted!' };
  const input = JSON.stringify({ action: 'add', target: 'user', content: said });
  return { type: /** @type {const} */ ('tool-call'), toolCallId: crypto.randomUUID(), toolName: 'memory', input };
}

/** @param {Call} call */
function generate(call) {
  const content = respond(call);
  /** @type {'stop' | 'tool-calls'} */
  const reason = content.type === 'text' ? 'stop' : 'tool-calls';
  const usage = {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  };
  return { content, finishReason: { unified: reason, raw: undefined }, usage };
}

/**
 * Streams a text word by word.
 *
 * @typedef {Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never} StreamPart
 * @param {ReturnType<typeof respond>} content
 * @returns {StreamPart[]}
 */
function toParts(content) {
  if (content.type !== 'text') return [content];
  const id = '0';
  const words = content.text.match(/\S+\s*/gu) ?? [];
  return [
    { type: 'text-start', id },
    ...words.map((delta) => ({ type: /** @type {const} */ ('text-delta'), id, delta })),
    { type: 'text-end', id },
  ];
}

/** Replaces a language model where none is available. @type {Model} */
export const scriptedModel = {
  specificationVersion: 'v3',
  provider: 'example',
  modelId: 'scripted',
  supportedUrls: {},
  async doGenerate(call) {
    const { content, ...rest } = generate(call);
    return { content: [content], ...rest, warnings: [] };
  },
  async doStream(call) {
    const { content, ...rest } = generate(call);
    const start = { type: /** @type {const} */ ('stream-start'), warnings: [] };
    const chunks = [start, ...toParts(content), { type: /** @type {const} */ ('finish'), ...rest }];
    return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
  },
};
