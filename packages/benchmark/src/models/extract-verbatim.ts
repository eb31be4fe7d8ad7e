/**
 * Answers a prompt that asks for the memories in new messages, as mem0's does: with each message as it stands. A model of a provider would
 * put them in other words.
 */
export function extractVerbatim(prompt: string): string {
  const section = /## New Messages\n([\s\S]*?)\n\n## Observation Date/.exec(prompt)?.[1] ?? '';
  const messages = section.split(/^(?=(?:user|assistant): )/m).filter((part) => part.trim() !== '');
  const memory = messages.map((part, index) => ({
    id: String(index),
    text: part.replace(/^(user|assistant): /, '').replace(/\n$/, ''),
    attributed_to: part.startsWith('assistant') ? 'assistant' : 'user',
  }));
  return JSON.stringify({ memory });
}
