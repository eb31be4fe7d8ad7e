import { containsValue, isAbout, isRoughly, isSingle, isValue } from './compare.mjs';
import { readHistories, readPairs } from './data.mjs';

/**
 * @typedef {import('../../packages/server/dist/index.js').Memhall} Memhall
 * @typedef {import('../../packages/server/dist/index.js').UserMemory} UserMemory
 * @typedef {import('../../packages/server/dist/index.js').Fact} Fact
 * @typedef {import('./data.mjs').History} History
 * @typedef {import('./data.mjs').Question} Question
 * @typedef {import('./scores.mjs').Scores} Scores
 */

const dayMs = 86_400_000;
const muchLater = new Date('2100-01-01T00:00:00Z');
const mostFacts = 200;

/**
 * Tells each history to a user of its own, and asks the questions.
 * @param {Memhall} memhall
 * @param {string} set
 * @param {Scores} scores
 */
export async function tellHistories(memhall, set, scores) {
  for (const history of readHistories(set)) {
    const memory = memhall.as({ tenant: 'histories', user: history.id });
    for (const [index, { at, role, trust, text }] of history.utterances.entries()) {
      const content = { content: text, role, occurredAt: new Date(at), externalId: `${index}` };
      await memory.remember({ ...content, ...(trust && { trust }) });
    }
    await ask(memory, history, scores);
  }
}

/** @param {UserMemory} memory @param {History} history @param {Scores} scores */
async function ask(memory, history, scores) {
  const { expect = [], history: periods = [], never = [], utterances } = history;
  const { items } = await memory.facts.list({ asOf: muchLater, includeSuperseded: true, limit: mostFacts });
  const facts = items.map(({ fact }) => fact);
  const held = facts.filter(({ state }) => state.standing === 'held');
  const end = new Date(Date.parse(utterances.at(-1)?.at ?? '') + dayMs);
  for (const question of expect) {
    const asOf = question.as_of === undefined ? end : new Date(question.as_of);
    const current = await currentValues(memory, question, asOf);
    const kind = question.as_of === undefined ? 'current' : 'past';
    scores.count(history, kind, isRight(current, question), `${describe(question, asOf)}, not ${list(current)}`);
    if (kind === 'past') continue;
    scores.add(history, 'wronglyEnded', wronglyEnded(held, question, end));
    scores.add(history, 'missedChanges', missedChanges(current, question, history));
  }
  for (const period of periods) {
    const found = held.filter((fact) => isAbout(fact, period) && isValue(fact.value, period.value));
    const isFound = found.some(
      ({ state }) => isRoughly(state.validFrom, period.from) && isRoughly(state.validTo, period.to),
    );
    const times = found.map(({ state }) => `${toDay(state.validFrom)}..${toDay(state.validTo)}`);
    const wanted = `${period.attribute[0]} ${period.value[0]} ${period.from ?? ''}..${period.to ?? ''}`;
    scores.count(history, 'history', isFound, `${wanted}, not ${list(times)}`);
  }
  for (const one of never) {
    const matches = (/** @type {Fact} */ fact) => isAbout(fact, one) && containsValue(fact.value, one.value);
    scores.add(history, 'invented', held.filter(matches).map(describeFact));
    const open = facts.filter(({ state }) => state.standing === 'unconfirmed');
    scores.add(history, 'unconfirmed', open.filter(matches).map(describeFact));
  }
  scores.addFacts(history, held.length);
}

/** Asks with every name that is right. @param {UserMemory} memory @param {Question} question @param {Date} asOf */
async function currentValues(memory, { subject, attribute }, asOf) {
  const found = new Map();
  for (const one of subject) {
    for (const name of attribute) {
      const { items } = await memory.facts.list({ subject: one, attribute: name, asOf, limit: mostFacts });
      for (const { fact, status } of items) if (status === 'current') found.set(fact.id, fact.value);
    }
  }
  return [...found.values()];
}

/** @param {string[]} current @param {Question} question */
function isRight(current, { attribute, values }) {
  const hasAll = values.every((spellings) => current.some((value) => isValue(value, spellings)));
  const mayHaveMore = values.length > 0 && !isSingle(attribute);
  return hasAll && (mayHaveMore || current.length === values.length);
}

/** Returns what should be current, was found, and has ended. @param {Fact[]} held @param {Question} question @param {Date} end */
function wronglyEnded(held, question, end) {
  return question.values.flatMap((spellings) => {
    const found = held.filter((fact) => isAbout(fact, question) && isValue(fact.value, spellings));
    const isOver = found.length > 0 && found.every(({ state }) => state.validTo !== null && state.validTo <= end);
    return isOver ? found.slice(0, 1).map(describeFact) : [];
  });
}

/**
 * Returns what is still current although the history says that it is over.
 * @param {string[]} current @param {Question} question @param {History} history
 */
function missedChanges(current, question, { expect = [], history: periods = [] }) {
  const isSame = (/** @type {{ subject: string[], attribute: string[] }} */ one) =>
    one.subject[0] === question.subject[0] && one.attribute[0] === question.attribute[0];
  const before = expect.filter((one) => one.as_of !== undefined && isSame(one)).flatMap(({ values }) => values);
  const ended = periods.filter((one) => one.to !== undefined && isSame(one)).map(({ value }) => value);
  const over = [...before, ...ended].filter(
    (spellings) => !question.values.some((wanted) => isValue(spellings[0] ?? '', wanted)),
  );
  return current.filter((value) => over.some((spellings) => isValue(value, spellings)));
}

/**
 * Says two statements that do not conflict, a month apart, and counts the facts of the first that the second has ended.
 * @param {Memhall} memhall
 * @param {string} set
 * @param {Scores} scores
 */
export async function tellPairs(memhall, set, scores) {
  const [began, later] = [new Date('2024-03-04T10:00:00Z'), new Date('2024-04-04T10:00:00Z')];
  for (const pair of readPairs(set)) {
    const memory = memhall.as({ tenant: 'pairs', user: pair.id });
    const say = (/** @type {string} */ content, /** @type {Date} */ occurredAt) =>
      memory.remember({ content, occurredAt, role: 'user', externalId: occurredAt.toISOString() });
    const current = async () => {
      const asOf = new Date(later.getTime() + dayMs);
      const { items } = await memory.facts.list({ asOf, limit: mostFacts });
      return items.filter(({ status }) => status === 'current').map(({ fact }) => fact);
    };
    await say(pair.first, began);
    const before = await current();
    await say(pair.second, later);
    const after = new Set((await current()).map(({ id }) => id));
    scores.count(pair, 'first', before.length > 0, `${pair.first}: no fact`);
    const ended = before.filter(({ id }) => !after.has(id));
    scores.add(
      pair,
      'wronglyEnded',
      ended.map((fact) => `${describeFact(fact)}, by "${pair.second}"`),
    );
  }
}

/** @param {Fact} fact */
function describeFact({ subject, attribute, value, state }) {
  return `${subject} / ${attribute}: ${value} (${toDay(state.validFrom)}..${toDay(state.validTo)})`;
}

/** @param {Question} question @param {Date} asOf */
function describe({ subject, attribute, values }, asOf) {
  return `${subject[0]} / ${attribute[0]} on ${toDay(asOf)}: ${list(values.map(([value]) => value))}`;
}

/** @param {(string | undefined)[]} values */
function list(values) {
  return values.length === 0 ? 'nothing' : values.join('; ');
}

/** @param {Date | null} at */
function toDay(at) {
  return at === null ? '' : at.toISOString().slice(0, 10);
}
