import type { Operations, RevertCounts, SourceRevertList } from './generated/operations.js';
import { OffTheRecordClient } from './off-the-record-client.js';
import type { CallOptions } from './transport.js';

export type SourceFilter = Operations['sources.revert']['body']['filter'];
export type Reverted = Operations['sources.revert']['answer'];

export interface RevertOptions extends CallOptions {
  /** False takes it back; by default it is only counted. */
  dryRun?: boolean;
}

/** Calls for administrators that take back what a source wrote or caused. */
export class SourcesClient extends OffTheRecordClient {
  /** Takes back everything that a source wrote or caused, or only counts it. */
  revertSource(tenantId: string, filter: SourceFilter, options: RevertOptions = {}): Promise<Reverted> {
    const body = { filter, dry_run: options.dryRun ?? true };
    return this.answer('sources.revert', { path: { tenant_id: tenantId }, body }, options);
  }

  /** Lists what was taken back and can be restored, newest first. */
  listReverts(
    tenantId: string,
    page: { limit?: number; cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<SourceRevertList> {
    return this.answer('sources.list', { path: { tenant_id: tenantId }, query: page }, options);
  }

  /** Restores what was taken back. */
  async undoRevert(tenantId: string, revertId: string, options: CallOptions = {}): Promise<RevertCounts> {
    const path = { tenant_id: tenantId, revert_id: revertId };
    return (await this.answer('sources.undo', { path }, options)).counts;
  }
}
