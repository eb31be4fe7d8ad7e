import { createHash } from 'node:crypto';
import { isId, type Json, uuidv7 } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { Engine } from '../engine/engine.js';
import type { NewMemory } from '../engine/memories/new-memory.js';
import { rememberMany } from '../engine/memories/remember.js';
import { type LegacySemanticRow, LegacySemanticTable } from '../store/legacy-semantic-table.js';
import { startEngine } from './start-engine.js';

interface SemanticMigration {
  table: string;
  /** User who will own the memories. */
  userId: string;
  dryRun: boolean;
  onProgress(done: number, total: number): void;
}

interface SemanticMigrationReport {
  rows: number;
  stored: number;
  /** Rows that were skipped because a newer row of the same tenant has the same content. */
  duplicates: number;
  /** Rows that cannot be stored, by reason. */
  refused: { id: string; reason: string }[];
}

const batchSize = 100;

/**
 * Imports knowledge from a table without users as private memories of one user. Ids are preserved, which makes it
 * idempotent. If rows of a tenant have the same content, the newest is imported. The table is not changed.
 */
export async function migrateSemantic(
  config: Config,
  logger: Logger,
  migration: SemanticMigration,
): Promise<SemanticMigrationReport> {
  const { engine, database, close } = await startEngine(config, logger, { shareRunning: true, runJobs: false });
  try {
    const table = new LegacySemanticTable(database.pool, migration.table);
    const total = await table.count();
    const report: SemanticMigrationReport = { rows: 0, stored: 0, duplicates: 0, refused: [] };
    const newest = await findNewest(table);
    for await (const page of table.rows()) {
      report.rows += page.length;
      const kept = page.filter((row) => newest.get(keyOf(row)) === row.id);
      report.duplicates += page.length - kept.length;
      for (const [tenantId, rows] of groupByTenant(kept)) await storeRows(engine, tenantId, rows, migration, report);
      migration.onProgress(report.rows, total);
    }
    return report;
  } finally {
    await close();
  }
}

/** Returns the id of the most recently changed row for each tenant and content. */
async function findNewest(table: LegacySemanticTable): Promise<Map<string, string>> {
  const newest = new Map<string, { id: string; at: number }>();
  for await (const page of table.rows()) {
    for (const row of page) {
      const at = (row.updatedAt ?? row.createdAt)?.getTime() ?? 0;
      const known = newest.get(keyOf(row));
      if (known === undefined || at >= known.at) newest.set(keyOf(row), { id: row.id, at });
    }
  }
  return new Map([...newest].map(([key, { id }]) => [key, id]));
}

function keyOf({ tenantId, content }: LegacySemanticRow): string {
  return `${tenantId}\n${createHash('sha256').update(content.normalize('NFC')).digest('base64')}`;
}

function groupByTenant(rows: readonly LegacySemanticRow[]): Map<string, LegacySemanticRow[]> {
  const groups = new Map<string, LegacySemanticRow[]>();
  for (const row of rows) groups.set(row.tenantId, [...(groups.get(row.tenantId) ?? []), row]);
  return groups;
}

async function storeRows(
  engine: Engine,
  tenantId: string,
  rows: readonly LegacySemanticRow[],
  { userId, dryRun }: SemanticMigration,
  report: SemanticMigrationReport,
): Promise<void> {
  const sound = rows.filter((row) => {
    const reason = !isId(row.tenantId)
      ? 'tenant_id is not a valid id'
      : row.content.trim() === ''
        ? 'content is blank'
        : undefined;
    if (reason !== undefined) report.refused.push({ id: row.id, reason });
    return reason === undefined;
  });
  const actor = { userId: null, serviceId: 'memhall', roles: [] };
  const caller = { tenantId, userId, actor, operation: 'semantic.migrate', requestId: uuidv7() };
  for (let at = 0; at < sound.length; at += batchSize) {
    const batch = sound.slice(at, at + batchSize).map(toNewMemory);
    if (!dryRun) await rememberMany(engine, caller, batch);
    report.stored += batch.length;
  }
}

function toNewMemory(row: LegacySemanticRow): NewMemory {
  const metadata =
    row.metadata !== null && typeof row.metadata === 'object' && !Array.isArray(row.metadata) ? row.metadata : {};
  return {
    id: row.id,
    content: row.content,
    kind: 'semantic',
    uniqueContent: true,
    externalId: row.externalId ?? undefined,
    metadata: metadata as { [key: string]: Json },
    tags: row.tags ?? [],
    source: row.source ?? undefined,
    planId: row.planId ?? undefined,
    sessionId: row.sessionId ?? undefined,
    createdAt: row.createdAt ?? undefined,
    occurredAt: row.createdAt ?? undefined,
  };
}
