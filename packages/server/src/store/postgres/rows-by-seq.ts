/**
 * The memories of the tenant `$1` and the partition `$2` whose numbers of arrival are in the parameter `seqs`. A planner without
 * statistics expects one row in a partition, so it would take any index, read all rows of the partition and compare their numbers.
 * Only one index has them in this order.
 */
export const rowsBySeq = (seqs: string) => `(
  SELECT found.* FROM unnest(${seqs}::bigint[]) AS wanted (seq) CROSS JOIN LATERAL (
    SELECT * FROM memhall.memories WHERE tenant_id = $1 AND partition = $2 AND seq BETWEEN wanted.seq AND wanted.seq
    ORDER BY seq LIMIT 1) AS found)`;
