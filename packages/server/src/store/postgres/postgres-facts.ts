import type { Fact, FactChange, FactState, FactStep, Facts, Standing } from '../../ports/facts.js';
import { partitionKey } from '../../ports/memories.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { evidenceBy, evidenceOf, factOf, factsAbout, inOrder, lastState } from './fact-rows.js';
import { markEvidence } from './memory-marks.js';
import { makePlacesDue } from './postgres-fact-places.js';
import { rangeOf } from './postgres-memories.js';
import { namesOf } from './postgres-subjects.js';

interface StateColumns {
  standing: Standing;
  valid_from: Date;
  ends_at: Date | null;
  valid_to: Date | null;
  superseded_by: string | null;
  trust: Trust;
  confidence: number;
  replaces: boolean;
  is_stated: boolean;
  is_disputed: boolean;
  is_undated: boolean;
  asserted_at: Date | null;
}

interface FactRow extends StateColumns {
  fact_id: string;
  subject: string;
  subject_key: string;
  attribute: string;
  attribute_key: string;
  value: string;
  value_key: string;
  text: string;
  recorded_at: Date;
  state_at: Date;
  evidence: string[];
}

interface StepRow extends StateColumns {
  seq: string;
  fact_id: string;
  at: Date;
  change: FactChange;
  reason: string;
  note: string | null;
  cause: string;
  undoes: string | null;
  memory_id: string | null;
}

const own = 'tenant_id = $1 AND user_id = $2';
const factColumns = 'fact_id, subject, subject_key, attribute, attribute_key, value, value_key, text, recorded_at';
const stateColumns = `standing, valid_from, ends_at, valid_to, superseded_by, trust, confidence, replaces, is_stated, is_disputed,
  is_undated, asserted_at`;
const stepColumns = `seq, fact_id, at, change, reason, note, cause, undoes, memory_id, ${stateColumns}`;

/** Facts with the last state that was known at `$3`. */
const selectFrom = (facts: string) => `
  SELECT ${factColumns.replaceAll(/\w+/g, 'f.$&')}, s.at AS state_at, ${stateColumns.replaceAll(/\w+/g, 's.$&')},
    ARRAY (SELECT e.memory_id FROM (${evidenceOf('f.fact_id')}) AS e WHERE $3::timestamptz IS NULL OR e.at <= $3
      ORDER BY e.at, e.memory_id) AS evidence
  FROM ${facts} AS f
  CROSS JOIN LATERAL (${lastState('f.fact_id')}) AS s
  WHERE f.tenant_id = $1 AND f.user_id = $2 AND ($3::timestamptz IS NULL OR f.recorded_at <= $3)`;

/** The facts whose ids a statement selects as `id`. */
const factsWith = (ids: string) =>
  `(SELECT found.* FROM (${ids}) AS wanted CROSS JOIN LATERAL (${factOf('wanted.id')}) AS found)`;

/** The ids of facts with a memory as evidence. */
const basedOn = (memoryId: string) =>
  `SELECT b.fact_id AS id FROM memhall.fact_evidence AS b WHERE b.tenant_id = $1 AND b.user_id = $2 AND b.memory_id = ${memoryId}`;

/** The facts of all names of the subject `$4` and of the attribute `$5`. */
const factsOfKeys = `(SELECT found.* FROM unnest(${namesOf('$4::text')}) AS names (key)
  CROSS JOIN LATERAL (${factsAbout('names.key', '$5::text')}) AS found)`;

export function postgresFacts(statements: Statements, scope: TransactionScope): Facts {
  const { tenantId, userId } = scope;
  const touched = new Set<string>();
  /** Whether documents agree with facts that were removed. */
  let removing = Promise.resolve(false);
  const selecting =
    (plan: 'kept' | 'by values') =>
    async (facts: string, condition: string, knownAt: Date | null, values: readonly unknown[]) => {
      const text = `${selectFrom(facts)} AND ${condition}`;
      const send = () => statements.query<FactRow>(text, [tenantId, userId, knownAt, ...values]);
      return (await inOrder(statements, plan, send)).map(fromFactRow);
    };
  const lookUp = selecting('kept');
  const selectOf = selecting('by values');
  const select = (condition: string, knownAt: Date | null, values: readonly unknown[]) =>
    selectOf('memhall.facts', condition, knownAt, values);
  return {
    get: (ids, knownAt) => lookUp(factsWith('SELECT unnest($4::text[]) AS id'), 'true', knownAt, [ids]),

    ofKeys: ({ subjectKey, attributeKey }, knownAt = null) =>
      lookUp(factsOfKeys, 'true', knownAt, [subjectKey, attributeKey]),

    // Whether one replaces others is looked up once. Reading a thousand things that somebody likes takes long.
    ofValues: ({ subjectKey, attributeKey }, valueKeys) =>
      lookUp(
        factsOfKeys,
        `(f.value_key = ANY ($6) OR EXISTS (
           SELECT 1 FROM ${factsOfKeys} AS o CROSS JOIN LATERAL (${lastState('o.fact_id')}) AS r WHERE r.replaces))`,
        null,
        [subjectKey, attributeKey, valueKeys],
      ),

    async lastSaid(ids) {
      const rows = await statements.query<{ fact_id: string; at: Date }>(
        `SELECT e.fact_id, max(m.occurred_at) AS at FROM memhall.fact_evidence AS e
         JOIN memhall.memories AS m ON m.tenant_id = e.tenant_id AND m.id = e.memory_id
         WHERE e.tenant_id = $1 AND e.user_id = $2 AND e.fact_id = ANY ($3) GROUP BY e.fact_id`,
        [tenantId, userId, ids],
      );
      return new Map(rows.map(({ fact_id, at }) => [fact_id, at]));
    },

    inBoth: (one, other) =>
      select(
        `f.subject_key = ANY ($4::text[] || $5::text[]) AND f.attribute_key IN (
           SELECT a.attribute_key FROM memhall.facts AS a WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.subject_key = ANY ($4::text[])
           INTERSECT
           SELECT b.attribute_key FROM memhall.facts AS b WHERE b.tenant_id = $1 AND b.user_id = $2 AND b.subject_key = ANY ($5::text[]))`,
        null,
        [one, other],
      ),

    list: ({ subjectKey, attributeKey, asOf, includesPast, onlyUnconfirmed, evidence }, { knownAt, after, limit }) =>
      selectOf(
        evidence === undefined ? 'memhall.facts' : factsWith(basedOn('$11::text')),
        `s.standing <> 'retracted' AND s.valid_from <= $4 AND ($5 OR s.valid_to IS NULL OR s.valid_to > $4)
         AND ($6::text IS NULL OR f.subject_key = ANY (${namesOf('$6::text')})) AND ($7::text IS NULL OR f.attribute_key = $7)
         AND ($8::text IS NULL OR f.fact_id < $8) AND (NOT $10 OR s.standing = 'unconfirmed')
         ORDER BY f.fact_id DESC LIMIT $9`,
        knownAt,
        [
          ...[asOf, includesPast, subjectKey ?? null, attributeKey ?? null, after ?? null, limit],
          ...[onlyUnconfirmed ?? false, ...(evidence === undefined ? [] : [evidence])],
        ],
      ),

    all({ after, limit }) {
      const order = 'f.subject_key, f.attribute_key, f.fact_id';
      const [condition, values] =
        after === undefined
          ? ['true', []]
          : [`(${order}) > ($5, $6, $7)`, [after.subjectKey, after.attributeKey, after.id]];
      return select(`${condition} ORDER BY ${order} LIMIT $4`, null, [limit, ...values]);
    },

    async supersededBy(id, knownAt) {
      const found = await selectOf(
        factsWith(`SELECT DISTINCT p.fact_id AS id FROM memhall.fact_states AS p
          WHERE p.tenant_id = $1 AND p.user_id = $2 AND p.superseded_by = $4`),
        `s.superseded_by = $4 AND s.standing = 'held' ORDER BY f.fact_id`,
        knownAt,
        [id],
      );
      return found.map((fact) => fact.id);
    },

    async steps(id) {
      const rows = await statements.query<StepRow>(
        `SELECT ${stepColumns} FROM memhall.fact_states WHERE ${own} AND fact_id = $3 ORDER BY seq`,
        [tenantId, userId, id],
      );
      return rows.map(fromStepRow);
    },

    async undone(seqs) {
      const rows = await statements.query<{ undoes: string }>(
        `SELECT undoes FROM memhall.fact_states WHERE ${own} AND undoes = ANY ($3::bigint[])
         UNION SELECT undoes FROM memhall.subject_names WHERE ${own} AND undoes = ANY ($3::bigint[])`,
        [tenantId, userId, seqs],
      );
      return rows.map(({ undoes }) => Number(undoes));
    },

    async lastChange() {
      const rows = await statements.query<{ seq: string; at: Date }>(
        `(SELECT seq, at FROM memhall.fact_states WHERE ${own} ORDER BY seq DESC LIMIT 1)
         UNION ALL (SELECT seq, at FROM memhall.subject_names WHERE ${own} ORDER BY seq DESC LIMIT 1)
         ORDER BY seq DESC LIMIT 1`,
        [tenantId, userId],
      );
      return rows[0] && { seq: Number(rows[0].seq), at: rows[0].at };
    },

    add({ id, subject, subjectKey, attribute, attributeKey, value, valueKey, text, recordedAt }) {
      statements.enqueue(
        `INSERT INTO memhall.facts (tenant_id, user_id, ${factColumns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [tenantId, userId, id, subject, subjectKey, attribute, attributeKey, value, valueKey, text, recordedAt],
      );
    },

    addSteps(steps) {
      for (const { state, ...step } of steps) {
        touched.add(step.factId);
        statements.enqueue(
          `INSERT INTO memhall.fact_states (tenant_id, user_id, ${stepColumns})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
          [
            ...[tenantId, userId, step.seq, step.factId, step.at, step.change, step.reason, step.note, step.cause],
            ...[
              step.undoes,
              step.memoryId,
              state.standing,
              state.validFrom,
              state.endsAt,
              state.validTo,
              state.supersededBy,
            ],
            ...[state.trust, state.confidence, state.replaces, state.isStated, state.isDisputed],
            ...[state.isUndated, state.assertedAt],
          ],
        );
      }
    },

    addEvidence(factId, memoryIds, at, counts = []) {
      touched.add(factId);
      statements.enqueue(
        `INSERT INTO memhall.fact_evidence (tenant_id, user_id, fact_id, memory_id, at, statements, partition)
         SELECT $1, $2, $3, given.memory_id, $5, given.statements,
           (SELECT m.partition FROM memhall.memories AS m WHERE m.tenant_id = $1 AND m.id = given.memory_id)
         FROM unnest($4::text[], $6::smallint[]) AS given (memory_id, statements)
         ON CONFLICT (tenant_id, user_id, fact_id, memory_id) DO NOTHING`,
        [tenantId, userId, factId, memoryIds, at, counts],
      );
    },

    touch(factIds) {
      for (const id of factIds) touched.add(id);
    },

    async markTouched() {
      if (touched.size === 0) return removing;
      const ids = [...touched];
      touched.clear();
      statements.also(markEvidence(statements, scope, ids));
      const making = makePlacesDue(statements, scope, ids);
      return (await Promise.all([removing, making])).some((isDue) => isDue);
    },

    async evidenceUnder(partition, kind, prefix) {
      const rows = await statements.query<{ id: string }>(
        `SELECT m.id FROM memhall.memories AS m
         WHERE m.tenant_id = $1 AND m.partition = $3 AND m.kind = $4 AND m.external_id >= $5 AND m.external_id < $6
           AND EXISTS (SELECT 1 FROM memhall.facts AS f WHERE f.tenant_id = $1 AND f.user_id = $2)
           AND (EXISTS (SELECT 1 FROM memhall.fact_evidence AS e WHERE e.tenant_id = $1 AND e.user_id = $2 AND e.memory_id = m.id)
             OR EXISTS (SELECT 1 FROM memhall.fact_states AS s WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.memory_id = m.id))`,
        [tenantId, userId, partitionKey(partition), kind, ...rangeOf(prefix)],
      );
      return rows.map(({ id }) => id);
    },

    moveEvidence(moves) {
      if (moves.length === 0) return;
      statements.enqueue(
        `WITH moved AS (
           DELETE FROM memhall.fact_evidence AS e USING unnest($3::text[], $4::text[]) AS given (was, becomes)
           WHERE e.tenant_id = $1 AND e.user_id = $2 AND e.memory_id = given.was
           RETURNING e.fact_id, given.becomes, e.at, e.statements, e.partition)
         INSERT INTO memhall.fact_evidence (tenant_id, user_id, fact_id, memory_id, at, statements, partition)
         SELECT $1, $2, fact_id, becomes, at, statements, partition FROM moved
         ON CONFLICT (tenant_id, user_id, fact_id, memory_id) DO NOTHING`,
        [tenantId, userId, moves.map(({ from }) => from), moves.map(({ to }) => to)],
      );
    },

    basedOn: (memoryIds) =>
      selectOf(
        factsWith(`SELECT DISTINCT b.fact_id AS id FROM unnest($4::text[]) AS given (id)
          CROSS JOIN LATERAL (${evidenceBy('given.id')}) AS b`),
        'true',
        null,
        [memoryIds],
      ),

    async stepsBy(memoryIds) {
      const rows = await statements.query<StepRow>(
        `SELECT ${stepColumns} FROM memhall.fact_states
         WHERE ${own} AND memory_id = ANY ($3) AND cause = fact_id AND undoes IS NULL ORDER BY seq`,
        [tenantId, userId, memoryIds],
      );
      return rows.map(fromStepRow);
    },

    removeEvidence(memoryIds) {
      statements.enqueue(`DELETE FROM memhall.fact_evidence WHERE ${own} AND memory_id = ANY ($3)`, [
        tenantId,
        userId,
        memoryIds,
      ]);
    },

    remove(ids) {
      const values = [tenantId, userId, ids];
      const making = makePlacesDue(statements, scope, ids);
      making.catch(() => undefined);
      removing = Promise.all([removing, making]).then((found) => found.some((isDue) => isDue));
      removing.catch(() => undefined);
      statements.enqueue(`DELETE FROM memhall.fact_states WHERE ${own} AND cause = ANY ($3)`, values);
      statements.enqueue(`DELETE FROM memhall.facts WHERE ${own} AND fact_id = ANY ($3)`, values);
    },
  };
}

function fromFactRow(row: FactRow): Fact {
  return {
    id: row.fact_id,
    subject: row.subject,
    subjectKey: row.subject_key,
    attribute: row.attribute,
    attributeKey: row.attribute_key,
    value: row.value,
    valueKey: row.value_key,
    text: row.text,
    recordedAt: row.recorded_at,
    stateAt: row.state_at,
    state: fromStateColumns(row),
    evidence: row.evidence,
  };
}

function fromStepRow(row: StepRow): FactStep {
  return {
    seq: Number(row.seq),
    factId: row.fact_id,
    at: row.at,
    change: row.change,
    reason: row.reason,
    note: row.note,
    cause: row.cause,
    undoes: row.undoes === null ? null : Number(row.undoes),
    memoryId: row.memory_id,
    state: fromStateColumns(row),
  };
}

function fromStateColumns(row: StateColumns): FactState {
  return {
    standing: row.standing,
    validFrom: row.valid_from,
    endsAt: row.ends_at,
    validTo: row.valid_to,
    supersededBy: row.superseded_by,
    trust: row.trust,
    confidence: row.confidence,
    replaces: row.replaces,
    isStated: row.is_stated,
    isDisputed: row.is_disputed,
    isUndated: row.is_undated,
    assertedAt: row.asserted_at,
  };
}
