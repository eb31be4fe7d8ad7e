/**
 * A scripted model that answers "Where is my …?" and "Who gave it to me?" from what it is shown, by rules. It knows which thing `it` is. What
 * it is not shown, it looks for with `search_memory` if it has that tool; otherwise it says that it does not know. Counts what it reads.
 *
 * @typedef {Parameters<Exclude<import('ai').LanguageModel, string>['doGenerate']>[0]} Call
 * @typedef {{ calls: number, searches: number, read: number, repeated: number }} Counts characters `read`, and those of them that the call
 *   before began with as well, which a provider has cached
 */
export class ReadingModel {
  specificationVersion = /** @type {const} */ ('v3');
  provider = 'benchmark';
  modelId = 'reading';
  supportedUrls = {};
  /** @type {Counts} */
  counts = { calls: 0, searches: 0, read: 0, repeated: 0 };
  #before = '';

  /** @param {Call} call */
  async doGenerate({ prompt, tools = [] }) {
    const texts = prompt.map(textOf);
    this.#count(JSON.stringify(tools) + JSON.stringify(prompt));
    const content = this.#answer(
      prompt,
      texts,
      tools.some(({ name }) => name === 'search_memory'),
    );
    const reason = /** @type {'stop' | 'tool-calls'} */ (content.type === 'text' ? 'stop' : 'tool-calls');
    return { content: [content], finishReason: { unified: reason, raw: undefined }, usage, warnings: [] };
  }

  /** @returns {Promise<never>} */
  async doStream() {
    throw new Error('This model does not stream.');
  }

  /** @param {string} prompt */
  #count(prompt) {
    let same = 0;
    while (same < prompt.length && prompt[same] === this.#before[same]) same += 1;
    this.#before = prompt;
    this.counts.calls += 1;
    this.counts.read += prompt.length;
    this.counts.repeated += same;
  }

  /** @param {Call['prompt']} prompt @param {string[]} texts @param {boolean} canSearch */
  #answer(prompt, texts, canSearch) {
    const asked = prompt.findLastIndex(({ role, content }) => role === 'user' && !textOf({ content }).startsWith('<'));
    const question = texts[asked] ?? '';
    if (!question.endsWith('?')) return said('You are welcome.');
    const thing = texts
      .slice(0, asked + 1)
      .filter((_, n) => prompt[n]?.role === 'user' && !texts[n]?.startsWith('<'))
      .flatMap((text) => [...text.matchAll(/my ([a-z ]+)\?/gu)].map(([, name]) => name))
      .at(-1);
    const wanted = question.startsWith('Who')
      ? new RegExp(`(\\w+) gave me the ${thing}\\.`, 'u')
      : new RegExp(`My ${thing} is ([^.]+)\\.`, 'u');
    const found = texts
      .filter((_, n) => n !== asked)
      .map((text) => wanted.exec(text)?.[1])
      .find((answer) => answer !== undefined);
    if (found !== undefined) return said(`${found}.`);
    if (!canSearch || asked < prompt.length - 1) return said('I do not know.');
    this.counts.searches += 1;
    const query = question.startsWith('Who') ? `Who gave me the ${thing}?` : `Where is my ${thing}?`;
    const type = /** @type {const} */ ('tool-call');
    return { type, toolCallId: crypto.randomUUID(), toolName: 'search_memory', input: JSON.stringify({ query }) };
  }
}

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** @param {string} text */
function said(text) {
  return { type: /** @type {const} */ ('text'), text };
}

/** @param {{ content: unknown }} message */
function textOf({ content }) {
  if (typeof content === 'string') return content;
  const parts = /** @type {{ type: string, text?: string, output?: unknown }[]} */ (content);
  return parts.map((part) => part.text ?? (part.output === undefined ? '' : JSON.stringify(part.output))).join('\n');
}
