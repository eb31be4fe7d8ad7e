// Memory for the messages of a chat completion service.
import assert from 'node:assert/strict';
import { rememberMessages } from '@memhall/agent';

/** Takes the place of the chat completion service. @param {{ role: string, content?: unknown }[]} messages */
async function completeChat(messages) {
  const isKnown = messages.some(({ content }) => String(content).includes('behind the door'));
  return isKnown ? 'Behind the door.' : 'I do not know.';
}

/** @param {import('@memhall/agent').MemoryBackend} memory */
export async function rememberInChatCompletions(memory) {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Where did I put my umbrella?' },
  ];
  const turn = await rememberMessages(memory, { sessionId: 'tuesday', messages });
  const answer = await completeChat(turn.messages);
  await turn.complete(answer);
  console.log(answer);
  assert.equal(answer, 'Behind the door.');
}
