import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readLocomo } from './locomo.mjs';

/**
 * @typedef {object} Turn
 * @property {string} id
 * @property {string} session
 * @property {Date} [at]
 * @property {string} text
 *
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} evidence ids of turns, or of sessions if `evidenceOf` says so
 * @property {number} [sessionsBefore] only the first so many sessions of the conversation count
 *
 * @typedef {object} Conversation
 * @property {string} id
 * @property {'turn' | 'session'} evidenceOf
 * @property {string} [language] of the tenant, as `memhall tenant language` takes it
 * @property {Turn[]} turns
 * @property {Question[]} questions
 *
 * @typedef {object} DataSet
 * @property {string} name
 * @property {Conversation[]} conversations
 */

/**
 * Reads LoCoMo, or a file of the form `{conversations: [{id, evidence_of, language?, turns: [{id, session, text}], questions:
 * [{text, evidence, sessions_before?}]}]}`.
 * @param {string} path
 * @returns {DataSet}
 */
export function readDataSet(path) {
  const data = JSON.parse(readFileSync(path, 'utf8'));
  if (Array.isArray(data)) return { name: 'locomo', conversations: readLocomo(data) };
  const name = basename(path, '.json');
  return { name, conversations: data.conversations.map(readConversation) };
}

/** @param {any} conversation @returns {Conversation} */
function readConversation({ id, evidence_of, language, turns, questions }) {
  const known = new Set(turns.map((/** @type {any} */ turn) => (evidence_of === 'session' ? turn.session : turn.id)));
  return {
    id,
    evidenceOf: evidence_of,
    ...(language === undefined ? {} : { language }),
    turns,
    questions: questions
      .map((/** @type {any} */ { text, evidence, sessions_before: sessionsBefore }) => ({
        text,
        evidence: evidence.filter((/** @type {string} */ one) => known.has(one)),
        ...(sessionsBefore === undefined ? {} : { sessionsBefore }),
      }))
      .filter((/** @type {Question} */ { evidence }) => evidence.length > 0),
  };
}
