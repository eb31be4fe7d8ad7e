import { summarise } from './calls.mjs';
import { systems } from './systems.mjs';

/**
 * @typedef {import('./participant.mjs').Participant} Participant
 * @typedef {ReturnType<typeof summarise>} Summary
 *
 * @typedef {object} Row
 * @property {string} system
 * @property {Record<string, Summary>} add by number of callers
 * @property {Summary} addBatch batches of a hundred
 * @property {Record<string, Record<string, Summary>>} recall by mode and number of callers
 * @property {Record<string, Summary>} firstRecall by mode
 * @property {number} found per recall
 * @property {number | undefined} bytesPerMemory
 *
 * @typedef {object} Step
 * @property {number} size number of memories at the end of the step
 * @property {number} before number of memories before the step
 * @property {number} firstUser first of the users that the new memories belong to
 * @property {number} users
 * @property {number} usersOfFirstRecalls
 */

const batch = 100;
/** Uncounted rounds of adds, during which V8 compiles the hot code. */
const warmUpRounds = 10;
/** A system that takes longer with one caller is not measured with several. */
const slowMs = 1000;

/**
 * Fills all systems up to a size, measuring the last adds on the way, and then measures recall.
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {Participant[]} participants
 * @param {Step} step
 * @param {import('../support/progress.mjs').Progress} progress
 * @returns {Promise<Row[]>}
 */
export async function measureSize(options, participants, step, progress) {
  const { size, before, firstUser, users } = step;
  const adds = planAdds(options, size - before);
  const planned = adds.reduce((sum, { batch, calls }) => sum + batch * calls * (options.rounds + warmUpRounds), 0);
  for (const participant of participants) {
    progress.step(`filling ${participant.name} up to ${size}`);
    await participant.call('fill', {
      memories: size - before - planned,
      firstUser,
      users,
      minutes: options.fillMinutes,
    });
    progress.advance(`filled ${participant.name}`);
  }
  /** @type {Map<Participant, Row>} */
  const rows = new Map();
  for (const participant of participants) rows.set(participant, emptyRow(participant.name));

  for (const one of adds) await measureAdds(options, rows, { ...one, step }, progress);
  for (const [participant, row] of rows) {
    if (participant.failure !== undefined) continue;
    await participant.tidy();
    row.bytesPerMemory = await participant.bytesPerMemory(size);
  }
  for (const mode of new Set(participants.flatMap(({ modes }) => modes))) {
    await measureRecall(options, rows, { mode, step }, progress);
  }
  return [...rows].filter(([{ failure }]) => failure === undefined).map(([, row]) => row);
}

/**
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {Map<Participant, Row>} rows
 * @param {{ batch: number, callers: number, calls: number, step: Step }} what
 * @param {import('../support/progress.mjs').Progress} progress
 */
async function measureAdds(options, rows, { batch, callers, calls, step }, progress) {
  const { size, firstUser, users } = step;
  const able = [...rows].filter(([{ name }]) => callers === 1 || !systems[name]?.oneWriter);
  const asked = able.map(([participant]) => participant);
  const label = `adding ${batch} at a time, ${callers} callers, ${size} stored`;
  const add = (/** @type {Participant} */ one) => one.call('add', { batch, callers, calls, firstUser, users });
  for (let round = 0; round < warmUpRounds; round++) for (const one of asked) await add(one);
  const turns = await takeRounds(options, asked, progress, label, add);
  for (const [participant, row] of able) {
    const summary = summarise(turns.get(participant) ?? [], batch);
    if (batch === 1) row.add[callers] = summary;
    else row.addBatch = summary;
  }
}

/**
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {Map<Participant, Row>} rows
 * @param {{ mode: string, step: Step }} what
 * @param {import('../support/progress.mjs').Progress} progress
 */
async function measureRecall(options, rows, { mode, step }, progress) {
  const able = [...rows].filter(([{ modes, failure }]) => modes.includes(mode) && failure === undefined);
  for (const [participant, row] of able) {
    progress.step(`first recalls of ${participant.name}, ${step.size} stored`);
    if (systems[participant.name]?.storage !== 'process') {
      const turn = await participant.call('firstRecalls', { mode, users: step.usersOfFirstRecalls });
      if (turn !== undefined) row.firstRecall[mode] = summarise([turn]);
    }
    await participant.call('recall', { mode, callers: 1, seconds: options.warmUpSeconds });
  }
  for (const callers of options.callers) {
    const fit = able.filter(([, row]) => !Object.values(row.recall[mode] ?? {}).some(({ p50Ms }) => p50Ms > slowMs));
    const asked = fit.map(([participant]) => participant);
    const label = `recall, ${mode}, ${callers} callers, ${step.size} stored`;
    const turns = await takeRounds(options, asked, progress, label, (one) =>
      one.call('recall', { mode, callers, seconds: options.seconds }),
    );
    for (const [participant, row] of fit) {
      const own = turns.get(participant) ?? [];
      row.recall[mode] = { ...row.recall[mode], [callers]: summarise(own) };
      const calls = own.reduce((sum, { times }) => sum + times.length, 0);
      row.found = own.reduce((sum, { found }) => sum + found, 0) / calls;
    }
  }
}

/**
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {Participant[]} participants
 * @param {import('../support/progress.mjs').Progress} progress
 * @param {string} label
 * @param {(participant: Participant) => Promise<any>} take
 */
async function takeRounds({ rounds }, participants, progress, label, take) {
  /** @type {Map<Participant, any[]>} */
  const turns = new Map(participants.map((participant) => [participant, []]));
  progress.step(label);
  for (let round = 0; round < rounds; round++) {
    for (const participant of participants) {
      const turn = await take(participant);
      if (turn !== undefined) turns.get(participant)?.push(turn);
      progress.advance(`${label}: ${participant.name}`);
    }
  }
  return turns;
}

/**
 * Plans the adds of one round. They count towards the size, so a small step has fewer of them.
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {number} memories
 */
function planAdds({ callers, rounds }, memories) {
  const turns = rounds + warmUpRounds;
  const singles = Math.min(250, Math.floor(memories / 5 / turns));
  const batches = Math.max(1, Math.min(8, Math.floor(memories / 2 / batch / turns)));
  return [...callers.map((callers) => ({ batch: 1, callers, calls: singles })), { batch, callers: 1, calls: batches }];
}

/**
 * @param {string} system
 * @returns {Row}
 */
function emptyRow(system) {
  return { system, add: {}, addBatch: summarise([]), recall: {}, firstRecall: {}, found: 0, bytesPerMemory: undefined };
}
