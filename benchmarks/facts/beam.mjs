import { readFileSync } from 'node:fs';
import { Scores } from '../quality/metrics.mjs';

/**
 * @typedef {import('../../packages/server/dist/index.js').Memhall} Memhall
 *
 * @typedef {object} Conversation
 * @property {string} id
 * @property {{ id: string, session: string, text: string }[]} turns
 * @property {{ text: string, kind: string, evidence: string[] }[]} questions
 */

/** The kinds of questions that depend on what is true now and what was before. */
const kinds = ['knowledge_update', 'contradiction_resolution', 'temporal_reasoning'];
const batch = 500;
const deepest = 100;

/** Turns begin with their role. Facts are learned from what the user and the assistant said, not from the name. @param {string} text */
function toSaid(text) {
  const [, role, content] = /^(user|assistant): (.*)$/s.exec(text) ?? [];
  return role === undefined || content === undefined ? { content: text } : { content, role };
}

/**
 * Stores each turn as one memory, and measures how much of the evidence of each question recall finds.
 * @param {Memhall} memhall
 * @param {string} file
 * @param {string} tenant
 */
export async function askBeam(memhall, file, tenant) {
  /** @type {{ conversations: Conversation[] }} */
  const { conversations } = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {Record<string, Scores>} */
  const scores = Object.fromEntries(kinds.map((kind) => [kind, new Scores()]));
  let facts = 0;
  for (const { id, turns, questions } of conversations) {
    const memory = memhall.as({ tenant, user: id });
    const ids = new Map();
    const sessions = new Map(turns.map((turn) => [turn.id, turn.session]));
    for (let at = 0; at < turns.length; at += batch) {
      const part = turns.slice(at, at + batch);
      const stored = await memory.rememberMany(
        part.map(({ text, session }) => ({ ...toSaid(text), kind: 'episodic', sessionId: session })),
      );
      for (const [index, { memory: saved }] of stored.entries()) ids.set(saved.id, part[index]?.id);
    }
    for (const { text, kind, evidence } of questions) {
      if (!kinds.includes(kind)) continue;
      const results = await memory.recall(text, { limit: deepest });
      const grouped = await memory.recallSessions(text, { limit: 10 });
      const ranked = results.map((result) => ids.get(result.memory.id) ?? '');
      const sessionsOf = (/** @type {string[]} */ list) => [...new Set(list.map((turn) => sessions.get(turn) ?? ''))];
      scores[kind]?.add({
        ranked,
        evidence,
        sessions: sessionsOf(ranked),
        grouped: grouped.map(({ sessionId }) => sessionId),
        wanted: sessionsOf(evidence),
      });
    }
    const { items } = await memory.facts.list({ includeSuperseded: true, limit: 10_000 });
    facts += items.length;
  }
  return { facts, kinds: Object.fromEntries(Object.entries(scores).map(([kind, one]) => [kind, one.result()])) };
}
