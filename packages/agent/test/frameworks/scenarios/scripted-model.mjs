export const says = (text) => ({ type: 'text', text });
export const calls = (toolName, input) => ({
  ...{ type: 'tool-call', toolCallType: 'function', toolCallId: crypto.randomUUID(), toolName },
  input: JSON.stringify(input),
});

/** A model for frameworks that take those of the AI SDK 5: answers with the parts of a script, one call after the other. */
export class ScriptedModel {
  specificationVersion = 'v2';
  provider = 'test';
  modelId = 'scripted';
  supportedUrls = {};
  prompts = [];

  constructor(...script) {
    this.script = script;
  }

  #next({ prompt }) {
    this.prompts.push(structuredClone(prompt));
    const part = this.script[this.prompts.length - 1] ?? says('Done.');
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { part, finishReason: part.type === 'text' ? 'stop' : 'tool-calls', usage };
  }

  async doGenerate(call) {
    const { part, ...rest } = this.#next(call);
    return { content: [part], ...rest, warnings: [] };
  }

  async doStream(call) {
    const { part, ...rest } = this.#next(call);
    const parts =
      part.type === 'text'
        ? [
            { type: 'text-start', id: '0' },
            { type: 'text-delta', id: '0', delta: part.text },
            { type: 'text-end', id: '0' },
          ]
        : [part];
    const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', ...rest }];
    return { stream: ReadableStream.from(chunks) };
  }
}
