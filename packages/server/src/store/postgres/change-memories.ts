/*
 * Every statement that removes or changes memories. In the same statement, what was derived from the old rows goes: the caches of
 * all nodes read in `memory_removals` what they have to drop, the pages with an old row are deleted, and so are its words in the index
 * of a large partition. `$1` is the tenant. A changed memory has the revision of its removal, which is the next of the sequence:
 * an UPDATE of a distributed database cannot ask the sequence itself.
 */

/** Selects the memories by `condition`, which may name tables of `also`. */
interface Selected {
  /** Queries before the statement, as in WITH. */
  queries?: string;
  also?: string;
  condition: string;
}

const leave = ({ queries, also = '', condition }: Selected) => `
  WITH ${queries === undefined ? '' : `${queries},`}
  gone AS (
    INSERT INTO memhall.memory_removals (tenant_id, partition, removed)
    SELECT memories.tenant_id, memories.partition, memories.revision FROM memhall.memories${also} WHERE ${condition} ORDER BY memories.revision
    RETURNING partition, removed, revision),
  paged AS (
    DELETE FROM memhall.memory_pages AS p USING gone
    WHERE p.tenant_id = $1 AND p.partition = gone.partition AND p.after < gone.removed AND p.up_to >= gone.removed),
  indexed AS MATERIALIZED (
    SELECT m.partition, m.revision, m.seq, m.terms, m.term_count FROM gone
    JOIN memhall.large_partitions AS l ON l.tenant_id = $1 AND l.partition = gone.partition AND l.indexed_up_to >= gone.removed
    JOIN memhall.memories AS m ON m.tenant_id = $1 AND m.partition = gone.partition AND m.revision = gone.removed),
  entries AS MATERIALIZED (
    SELECT indexed.partition, indexed.seq, unpacked.term
    FROM indexed CROSS JOIN LATERAL memhall.unpack_terms(indexed.terms) AS unpacked),
  posted AS (
    DELETE FROM memhall.memory_postings AS p USING entries
    WHERE p.tenant_id = $1 AND p.partition = entries.partition AND p.term = entries.term AND p.seq = entries.seq),
  words AS MATERIALIZED (
    SELECT partition, term, count(*)::int AS memories FROM entries GROUP BY partition, term),
  forgotten AS (
    DELETE FROM memhall.memory_terms AS t USING words
    WHERE t.tenant_id = $1 AND t.partition = words.partition AND t.term = words.term AND t.memory_count <= words.memories),
  counted AS (
    UPDATE memhall.memory_terms AS t SET memory_count = t.memory_count - words.memories FROM words
    WHERE t.tenant_id = $1 AND t.partition = words.partition AND t.term = words.term AND t.memory_count > words.memories),
  lost AS MATERIALIZED (
    SELECT gone.partition, count(indexed.seq) AS memories, coalesce(sum(indexed.term_count), 0) AS terms
    FROM gone LEFT JOIN indexed ON indexed.partition = gone.partition AND indexed.revision = gone.removed GROUP BY gone.partition)`;

/** Counts what is left in the index of a large partition. */
const count = (condition = '') => `
  summed AS (
    UPDATE memhall.large_partitions AS l
    SET memory_count = l.memory_count - lost.memories, term_count = l.term_count - lost.terms FROM lost
    WHERE l.tenant_id = $1 AND l.partition = lost.partition AND lost.memories > 0${condition})`;

/** Whether a large partition loses its last memory. */
const isEmptied = `(l.memory_count <= lost.memories AND NOT EXISTS (
      SELECT 1 FROM memhall.memories AS r WHERE r.tenant_id = $1 AND r.partition = l.partition AND r.revision > l.indexed_up_to
        AND NOT EXISTS (SELECT 1 FROM gone AS g WHERE g.partition = r.partition AND g.removed = r.revision)))`;

const isGone = 'm.tenant_id = $1 AND m.partition = gone.partition AND m.revision = gone.removed';

/** Deletes memories. Its result has their ids. */
export function deleteMemories(condition: string): string {
  return `${leave({ condition })},${count(` AND NOT ${isEmptied}`)},
  emptied AS (
    DELETE FROM memhall.large_partitions AS l USING lost WHERE l.tenant_id = $1 AND l.partition = lost.partition AND ${isEmptied})
    DELETE FROM memhall.memories AS m USING gone WHERE ${isGone} RETURNING m.id`;
}

/** Changes memories; assignments may name tables of `also`, which `joined` joins to the changed memory `m`. */
export function updateMemories(assignments: string, selected: Selected & { joined?: string }): string {
  const { also = '', joined } = selected;
  return `${leave(selected)},${count()}
    UPDATE memhall.memories AS m SET ${assignments}, revision = gone.revision FROM gone${also}
    WHERE ${isGone}${joined === undefined ? '' : ` AND ${joined}`}`;
}
