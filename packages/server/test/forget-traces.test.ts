import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { describeEachDatabase } from './support/databases.js';
import { findText } from './support/find-text.js';
import { newMarker } from './support/personal-writes.js';
import { useServer } from './support/server.js';
import { kept, type Planted, plantEverywhere } from './support/words-elsewhere.js';

const erased = expect.stringMatching(/^\[erased \d+\]$/);
const [person, colleague, workspace] = ['pat', 'quinn', 'harbour'];

describeEachDatabase('the traces of a forgotten person', (database) => {
  const server = useServer(database);
  const marker = newMarker();
  let planted: Planted[];
  let before: string[];
  let halfway: string;
  let receiptId: string;
  const call = async (path: string, claims = {}) =>
    server().call({ path, token: await server().token({ user: colleague, roles: ['admin'], claims }) });
  const exported = async () => {
    const output = join(database().config().dataDirectory, 'export.jsonl');
    const { code, stderr } = await runCommand([
      ...['export', '--tenant', 't1', '--output', output],
      ...flagsOf(database()),
    ]);
    expect([code, stderr]).toEqual([0, '']);
    return readFileSync(output, 'utf8');
  };
  const texts = async (path: string) => {
    const { body } = await call(`/v1/tenants/t1/users/${workspace}/documents/provider/${encodeURIComponent(path)}`);
    return body.document?.content.lines;
  };

  beforeAll(async () => {
    planted = await plantEverywhere({ server: server(), person, colleague, workspace, marker });
    halfway = new Date().toISOString();
    before = await findText(database(), marker);
    const admin = await server().token({ user: 'boss', roles: ['admin'] });
    const { status, body } = await server().call({
      ...{ method: 'DELETE', path: `/v1/tenants/t1/users/${person}/memory`, token: admin },
    });
    expect([status, body.code]).toEqual([200, undefined]);
    receiptId = body.receipt.id;
  });

  it('were in many tables before', () => {
    expect(planted.length).toBeGreaterThan(15);
    for (const place of ['artifacts.body', 'audit_records.record', 'quarantine.content', 'document_checkpoints.body']) {
      expect(before).toContain(`memhall.${place}`);
    }
    expect(before.length).toBeGreaterThan(25);
  });

  it('are in no column of any table', async () => {
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('are in no export', async () => {
    const text = await exported();
    expect(text).not.toContain(marker);
    for (const line of kept) expect(text).toContain(line);
  });

  it('leave the words of others where they were', async () => {
    for (const path of ['AGENT.md', 'lessons.md', 'pins.md', 'daily/2026-05-21.md', 'peers/somebody.md']) {
      expect([path, await texts(`agent:a1/${path}`)]).toEqual([path, kept]);
    }
    expect(await texts('crew:c1/CREW.md')).toEqual(kept);
    expect(await texts('agent:a1/PERSONA.md')).toBeUndefined();
    const { body } = await call(`/v1/tenants/t1/users/${colleague}/documents/user/user_dynamic.json`);
    expect(body.document.content.preferences).toEqual(kept);
  });

  it('leave histories, earlier states and an audit log that can be read and proven', async () => {
    const at = `/v1/tenants/t1/users/${workspace}/documents/provider/${encodeURIComponent('agent:a1/lessons.md')}`;
    const { body: history } = await call(`${at}/history?limit=100`);
    expect(history.versions.map((one: { version: number }) => one.version)).toEqual([5, 4, 3, 2, 1]);
    const { body: earlier } = await call(`${at}?at=${halfway}`);
    expect(earlier.document.content.lines).toEqual([kept[0], erased, kept[1], erased]);
    const documents = `/v1/tenants/t1/users/${colleague}/documents/user/user_dynamic.json`;
    expect((await call(`${documents}?at=${halfway}`)).body.document.content.preferences).toEqual([
      kept[0],
      erased,
      kept[1],
    ]);
    const verified = await runCommand(['audit', 'verify', ...flagsOf(database())]);
    expect(verified.stdout).toMatch(/faults=0\n/);
    const rebuilt = await runCommand(['audit', 'rebuild', '--tenant', 't1', ...flagsOf(database())]);
    expect([rebuilt.code, rebuilt.stdout]).toEqual([0, expect.stringMatching(/ differing=0\n$/)]);
  });

  it('are counted by the receipt, which can be verified', async () => {
    const { body } = await call(`/v1/tenants/t1/receipts/${receiptId}`);
    expect(body.receipt.counts).toMatchObject({ notes_elsewhere: 1, texts_elsewhere: 6, quarantined_elsewhere: 1 });
    expect(body.receipt.counts.versions_elsewhere).toBeGreaterThan(90);
    expect(body.verified).toBe(true);
  });
});
