// Memory as middleware for an AI SDK model.
import assert from 'node:assert/strict';
import { createMemoryMiddleware } from '@memhall/agent';
import { generateText, wrapLanguageModel } from 'ai';
import { scriptedModel } from '../chat-agent/scripted-model.mjs';

/** @param {import('@memhall/agent').MemoryBackend} memory */
export async function rememberInAiSdk(memory) {
  const remembering = (/** @type {string} */ sessionId) =>
    wrapLanguageModel({ model: scriptedModel, middleware: createMemoryMiddleware({ memory, sessionId }) });
  await generateText({ model: remembering('monday'), prompt: 'My umbrella is behind the door.' });
  const { text } = await generateText({ model: remembering('tuesday'), prompt: 'Where is my umbrella?' });
  console.log(text);
  assert.equal(text, 'You told me: My umbrella is behind the door.');
}
