import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { GrowingTree, leafHash } from '../../src/engine/audit/merkle-tree.js';

interface RecordRow {
  seq: string;
  record: string;
  hash: Buffer;
}

/** Does to the audit log of tenant t1 what only its owner can do, and leaves it consistent in itself. */
export class DatabaseOwner {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Removes the last records of a chain, and moves its end. */
  async cutTail(userId: string, count: number): Promise<void> {
    const records = await this.#records(userId);
    const last = records.at(-1 - count);
    await this.#run(`DELETE FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = $1 AND seq > $2`, [
      userId,
      last?.seq,
    ]);
    await this.#endAt(userId, last);
  }

  /** Changes a record and computes all later hashes again. */
  async rewrite(userId: string, seq: number, change: (record: string) => string): Promise<void> {
    const records = await this.#records(userId);
    let previous = records[seq - 2]?.hash ?? Buffer.alloc(32);
    for (const row of records.slice(seq - 1)) {
      const record = Number(row.seq) === seq ? change(row.record) : row.record;
      const hash: Buffer = createHash('sha256').update(previous).update(`${row.seq}\n${record}`).digest();
      await this.#run(
        `UPDATE memhall.audit_records SET record = $3, hash = $4 WHERE tenant_id = 't1' AND user_id = $1 AND seq = $2`,
        [userId, row.seq, record, hash],
      );
      previous = hash;
    }
    await this.#endAt(userId, (await this.#records(userId)).at(-1));
  }

  /** Removes a chain, and with `isThorough` everything that says whose it was. */
  async deleteChain(userId: string, isThorough = false): Promise<void> {
    for (const table of ['audit_records', 'audit_cuts', 'audit_heads', ...(isThorough ? ['audit_log_chains'] : [])]) {
      await this.#run(`DELETE FROM memhall.${table} WHERE tenant_id = 't1' AND user_id = $1`, [userId]);
    }
  }

  /** Appends a record as a write does. */
  async append(userId: string, record: object): Promise<void> {
    await this.#run(`SELECT memhall.append_audit('t1', $1, $2)`, [userId, [JSON.stringify(record)]]);
  }

  /** Cuts the beginning of a chain off, recorded as by retention. */
  async cutBeginning(userId: string, upTo: number): Promise<void> {
    const cut = (await this.#records(userId))[upTo - 1];
    const hash = cut?.hash.toString('hex');
    await this.append(userId, { target: 'retention', at: '2026-01-01', audit_cut: { seq: upTo, hash } });
    await this.#run(`DELETE FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = $1 AND seq <= $2`, [
      userId,
      upTo,
    ]);
    await this.#run(`INSERT INTO memhall.audit_cuts VALUES ('t1', $1, $2, $3)`, [userId, upTo, cut?.hash]);
  }

  /** Replaces the text of a record, explained as an erasure is. */
  async eraseContent(userId: string, seq: number): Promise<void> {
    const records = await this.#records(userId);
    const text = '{"target":"erased","at":"2026-01-01","erased_by":"r1"}';
    const previous = records[seq - 2]?.hash ?? Buffer.alloc(32);
    const present = createHash('sha256').update(previous).update(`${seq}\n${text}`).digest('hex');
    const hash = records[seq - 1]?.hash.toString('hex');
    await this.#run(
      `UPDATE memhall.audit_records SET record = $3 WHERE tenant_id = 't1' AND user_id = $1 AND seq = $2`,
      [userId, seq, text],
    );
    const erased = [{ seq, hash, present_hash: present }];
    await this.append(userId, { target: 'receipts/r1', at: '2026-01-01', erased_records: erased });
  }

  /** Makes the leaves those of the records as they are now, with a sound tree, and puts its roots into the heads. */
  async rewriteLog(): Promise<void> {
    const { rows } = await this.#pool.query<{ position: string; chain_id: string; seq: string; hash: Buffer | null }>(
      `SELECT l.position, l.chain_id, l.seq, r.hash FROM memhall.audit_log_leaves AS l
       LEFT JOIN memhall.audit_log_chains AS c USING (tenant_id, log_id, chain_id)
       LEFT JOIN memhall.audit_records AS r ON (r.tenant_id, r.user_id, r.seq) = ('t1', c.user_id, l.seq)
       WHERE l.tenant_id = 't1' ORDER BY position`,
    );
    const tree = new GrowingTree();
    await this.#run(`DELETE FROM memhall.audit_log_leaves WHERE tenant_id = 't1'`, []);
    for (const { chain_id: chainId, seq, hash } of rows) {
      if (hash === null) continue;
      const position = tree.size;
      const nodes = Buffer.concat(tree.push(leafHash({ chainId, seq: Number(seq), hash })));
      await this.#run(
        `INSERT INTO memhall.audit_log_leaves SELECT 't1', log_id, $1, $2, $3, $4, $5 FROM memhall.audit_logs WHERE tenant_id = 't1'`,
        [position, chainId, seq, hash, nodes],
      );
      await this.#run(`UPDATE memhall.audit_log_heads SET root = $1 WHERE tenant_id = 't1' AND size = $2`, [
        tree.root.toString('hex'),
        tree.size,
      ]);
    }
    await this.#run(`DELETE FROM memhall.audit_log_heads WHERE tenant_id = 't1' AND size > $1`, [tree.size]);
  }

  async forgetLog(): Promise<void> {
    for (const table of ['audit_logs', 'audit_log_heads', 'audit_log_leaves', 'audit_log_chains']) {
      await this.#run(`DELETE FROM memhall.${table} WHERE tenant_id = 't1'`, []);
    }
  }

  async #records(userId: string): Promise<RecordRow[]> {
    const { rows } = await this.#pool.query<RecordRow>(
      `SELECT seq, record, hash FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = $1 ORDER BY seq`,
      [userId],
    );
    return rows;
  }

  async #endAt(userId: string, last: RecordRow | undefined): Promise<void> {
    await this.#run(`UPDATE memhall.audit_heads SET seq = $2, hash = $3 WHERE tenant_id = 't1' AND user_id = $1`, [
      userId,
      last?.seq ?? 0,
      last?.hash ?? Buffer.alloc(32),
    ]);
  }

  async #run(sql: string, values: unknown[]): Promise<void> {
    await this.#pool.query(sql, values);
  }
}
