import type { MemoryMark, RowMark } from '../../ports/memory-marks.js';
import { namespaceSettings, type TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { bit, fromText, hasTime, noTime, readBigint, readMilliseconds, together } from './binary-columns.js';
import { updateMemories } from './change-memories.js';
import { evidenceBy, evidenceOf, factOf, factsAbout, inOrder, lastState } from './fact-rows.js';
import { lockPartitions } from './lock-partitions.js';
import { namesOf } from './postgres-subjects.js';

const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::bigint`;
const neverTrue = `'0001-01-01 00:00:00+00'::timestamptz`;
const rank = (trust: string) =>
  `CASE ${trust} WHEN 'external' THEN 0 WHEN 'tool' THEN 1 WHEN 'agent' THEN 2 ELSE 3 END`;

/**
 * The marks that follow from the facts of the user `$2`, as far as they were known at `$3`; null for all that is known. `touched`
 * is a relation with the ids of memories. A fact whose place is taken by one with the same value goes on with that one.
 */
export const marksOf = (touched: string) => `
  SELECT memory_id,
    CASE WHEN bool_and(over_at IS NOT NULL) AND count(*) >= max(coalesce(statements, 1)) THEN max(over_at) END AS over_from,
    min(over_at) AS partly_from,
    jsonb_build_object(
      'from', ${milliseconds('min(valid_from)')},
      'over', coalesce(jsonb_agg(jsonb_build_object('at', ${milliseconds('over_at')}, 'by', over_by) ORDER BY over_at, fact_id)
        FILTER (WHERE over_at IS NOT NULL), '[]'),
      'disputes', coalesce(jsonb_agg(rivals ORDER BY fact_id) FILTER (WHERE rivals IS NOT NULL), '[]')) AS mark
  FROM (
    SELECT e.memory_id, e.statements, f.fact_id, s.valid_from, d.rivals,
      CASE WHEN s.standing = 'retracted' THEN ${neverTrue} WHEN n.value_key = f.value_key THEN n.valid_to ELSE s.valid_to END AS over_at,
      CASE WHEN s.standing = 'retracted' THEN NULL WHEN n.value_key = f.value_key THEN n.superseded_by ELSE s.superseded_by END AS over_by
    FROM ${touched} AS touched
    CROSS JOIN LATERAL (${evidenceBy('touched.memory_id')}) AS e
    CROSS JOIN LATERAL (${factOf('e.fact_id')}) AS f
    CROSS JOIN LATERAL (${lastState('f.fact_id')}) AS s
    LEFT JOIN LATERAL (
      SELECT g.value_key, h.valid_to, h.superseded_by FROM (${factOf('s.superseded_by')}) AS g
      CROSS JOIN LATERAL (${lastState('g.fact_id')}) AS h) AS n ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('by', r.fact_id, 'from', ${milliseconds('greatest(s.valid_from, q.valid_from)')},
          'to', ${milliseconds('least(s.valid_to, q.valid_to)')}) ORDER BY r.fact_id) AS rivals
      FROM unnest(${namesOf('f.subject_key')}) AS names (key)
      CROSS JOIN LATERAL (${factsAbout('names.key', 'f.attribute_key')}) AS r
      CROSS JOIN LATERAL (${lastState('r.fact_id')}) AS q
      WHERE s.standing = 'unconfirmed' AND s.replaces AND r.value_key <> f.value_key AND q.standing = 'held' AND ${rank('q.trust')} >= ${rank('s.trust')}
        AND greatest(s.valid_from, q.valid_from) < coalesce(least(s.valid_to, q.valid_to), 'infinity')) AS d ON true
    WHERE $3::timestamptz IS NULL OR e.at <= $3
  ) AS said
  GROUP BY memory_id HAVING min(over_at) IS NOT NULL OR bool_or(rivals IS NOT NULL)`;

/** The evidence of the facts `$4`, and of unconfirmed facts that one of them may contradict. Facts that replace nothing contradict none. */
const evidence = `
  SELECT DISTINCT e.memory_id, e.partition FROM (
    SELECT unnest($4::text[]) AS fact_id
    UNION
    SELECT g.fact_id FROM (
      SELECT DISTINCT f.subject_key, f.attribute_key FROM unnest($4::text[]) AS given (id)
      CROSS JOIN LATERAL (${factOf('given.id')}) AS f
      CROSS JOIN LATERAL (${lastState('f.fact_id')}) AS s WHERE s.replaces) AS replacing
    CROSS JOIN LATERAL unnest(${namesOf('replacing.subject_key')}) AS names (key)
    CROSS JOIN LATERAL (${factsAbout('names.key', 'replacing.attribute_key')}) AS g
    CROSS JOIN LATERAL (${lastState('g.fact_id')}) AS u
    WHERE u.replaces AND u.standing = 'unconfirmed') AS marking
  CROSS JOIN LATERAL (${evidenceOf('marking.fact_id')}) AS e`;

/**
 * The marks of the evidence, null for what has none, except those that a memory has already: a new statement mostly changes none. The
 * memories of namespaces may not be visible here. Times are texts, because those of JavaScript are shorter.
 */
const changedMarks = `
  WITH touched AS MATERIALIZED (SELECT memory_id, min(partition) AS partition FROM (${evidence}) AS evidence GROUP BY memory_id),
  marks AS MATERIALIZED (${marksOf('touched')})
  SELECT touched.memory_id, touched.partition, k.over_from::text, k.partly_from::text, k.mark::text
  FROM touched LEFT JOIN marks AS k ON k.memory_id = touched.memory_id
  LEFT JOIN LATERAL (
    SELECT * FROM memhall.memories AS x WHERE x.tenant_id = $1 AND x.id BETWEEN touched.memory_id AND touched.memory_id
    ORDER BY x.id LIMIT 1) AS m ON true
  WHERE m.id IS NULL OR (m.over_from, m.partly_from, m.mark) IS DISTINCT FROM (k.over_from, k.partly_from, k.mark)`;

interface EvidenceMark {
  memory_id: string;
  partition: string | null;
  over_from: string | null;
  partly_from: string | null;
  mark: string | null;
}

/** Only what the user owns is marked. */
const setMarks = updateMemories('over_from = k.over_from, partly_from = k.partly_from, mark = k.mark', {
  queries: `k AS MATERIALIZED (
    SELECT * FROM unnest($3::text[], $4::timestamptz[], $5::timestamptz[], $6::jsonb[]) AS k (memory_id, over_from, partly_from, mark))`,
  also: ', k',
  condition: `memories.tenant_id = $1 AND memories.id = k.memory_id AND memories.user_id = $2 AND NOT memories.is_public
    AND (memories.over_from, memories.partly_from, memories.mark) IS DISTINCT FROM (k.over_from, k.partly_from, k.mark)`,
  joined: 'm.id = k.memory_id',
});

/** Marks the memories that facts are based on. The last statements are queued. */
export async function markEvidence(
  statements: Statements,
  { tenantId, userId, namespaces, writableNamespaces }: TransactionScope,
  factIds: readonly string[],
): Promise<void> {
  const marks = await inOrder(statements, 'kept', () =>
    statements.query<EvidenceMark>(changedMarks, [tenantId, userId, null, factIds]),
  );
  if (marks.length === 0) return;
  const places = new Set(marks.flatMap(({ partition }) => (partition?.startsWith('n:') ? [partition] : [])));
  const names = [...places].map((partition) => partition.slice(2));
  if (names.length > 0) {
    statements.set(namespaceSettings([...namespaces, ...names], [...writableNamespaces, ...names]));
    lockPartitions(statements, tenantId, [...places]);
  }
  statements.enqueue(setMarks, [
    ...[tenantId, userId, marks.map(({ memory_id }) => memory_id), marks.map(({ over_from }) => over_from)],
    ...[marks.map(({ partly_from }) => partly_from), marks.map(({ mark }) => mark)],
  ]);
  if (names.length > 0) statements.set(namespaceSettings(namespaces, writableNamespaces));
}

/** revision, start of truth in ms, over_from, partly_from (8 bytes each), disputed. */
const recordBytes = 33;

/** Sparse: most memories have no mark. One record for each that has one, and the owners of these as lines. */
export const markRecords = {
  marks: together(
    `int8send(revision) || coalesce(int8send((mark ->> 'from')::bigint), ${noTime})
      || coalesce(timestamptz_send(over_from), ${noTime}) || coalesce(timestamptz_send(partly_from), ${noTime})
      || ${bit(`jsonb_array_length(mark -> 'disputes') > 0`)}`,
    'mark IS NOT NULL',
  ),
  mark_owners: `coalesce(string_agg(user_id, E'\\n') FILTER (WHERE mark IS NOT NULL), '')`,
};

export interface MarkRecords {
  marks: string;
  mark_owners: string;
}

export function readMarkRecords({ marks, mark_owners: lines }: MarkRecords): RowMark[] {
  if (marks === '') return [];
  const { buffer, byteOffset, length } = fromText(marks);
  const view = new DataView(buffer, byteOffset, length);
  return lines.split('\n').map((owner, index) => {
    const at = recordBytes * index;
    return {
      revision: readBigint(view, at),
      owner,
      trueFrom: hasTime(view, at + 8) ? readBigint(view, at + 8) : Number.NaN,
      overFrom: readMilliseconds(view, at + 16),
      partlyFrom: readMilliseconds(view, at + 24),
      isDisputed: view.getUint8(at + 32) === 1,
    };
  });
}

export interface MarkColumns {
  over_from: Date | null;
  mark: { over: MemoryMark['over']; disputes: MemoryMark['disputes'][] } | null;
}

export const markColumns = 'over_from, mark';

export function toMark({ over_from, mark }: MarkColumns): MemoryMark | null {
  if (mark === null) return null;
  return { overFrom: over_from?.getTime() ?? null, over: mark.over, disputes: mark.disputes.flat() };
}
