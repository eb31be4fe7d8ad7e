/**
 * Returns the part of a statement that adds the changes in `new` to the events of the webhooks of tenant `$1` that are to learn of
 * them.
 */
export function listForWebhooks(userId: string): string {
  return `INSERT INTO memhall.webhook_events (tenant_id, webhook_id, user_id, partition, operation, kind, id, at)
    SELECT $1, w.webhook_id, ${userId}, new.partition, new.operation, new.kind, new.id, new.at
    FROM new JOIN memhall.webhooks AS w
      ON w.tenant_id = $1 AND w.events && ARRAY['*', new.operation, split_part(new.operation, '.', 1) || '.*'] COLLATE "C"
    ORDER BY new.number`;
}
