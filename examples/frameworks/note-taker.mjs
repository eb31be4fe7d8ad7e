const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** Replaces a language model: notes statements, and answers a question about an umbrella from what it is shown. */
export const noteTaker = {
  specificationVersion: 'v2',
  provider: 'example',
  modelId: 'note-taker',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    return { content: [{ type: 'text', text: answerTo(prompt) }], finishReason: 'stop', usage, warnings: [] };
  },
  async doStream({ prompt }) {
    const parts = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: answerTo(prompt) },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop', usage },
    ];
    return { stream: ReadableStream.from(parts) };
  },
};

function answerTo(prompt) {
  const texts = prompt.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
  if (!texts.at(-1).includes('?')) return 'Noted.';
  return texts.join('\n').match(/My umbrella is [^."\\]+\./)?.[0] ?? 'I do not know.';
}
