import { readFileSync } from 'node:fs';

/**
 * @typedef {import('../../packages/server/src/ports/extractor.js').ProposedFact} ProposedFact
 * @typedef {import('../../packages/server/src/ports/extractor.js').ConversationMessage} ConversationMessage
 * @typedef {import('../../packages/server/src/ports/extractor.js').KnownFact} KnownFact
 *
 * @typedef {object} Label
 * @property {string[]} kind accepted kinds
 * @property {string[]} words the text must contain all of these, in any case
 * @property {string[]} evidence
 * @property {string} [supersedes] words of the corrected fact
 * @property {string} [occurredOn] first day
 * @property {string} [expiresAt]
 * @property {boolean} [optional] counts neither when found nor when missed
 *
 * @typedef {object} Conversation
 * @property {string} id
 * @property {string} about
 * @property {ConversationMessage[]} messages
 * @property {KnownFact[]} [known]
 * @property {Label[]} remember
 * @property {string[]} [never]
 */

export const halves = /** @type {const} */ (['tuning', 'held-out']);

/** `names` are English sentences with names of any letters. */
export const languages = /** @type {const} */ (['en', 'names', 'de', 'fr', 'es']);

/** @param {(typeof halves)[number]} half @param {(typeof languages)[number]} language @returns {Conversation[]} */
export function readConversations(half, language) {
  const file = new URL(`conversations/${half}${language === 'en' ? '' : `.${language}`}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
