import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileFiles } from '../../src/providers/files/test-support/hostile-files.js';
import { pdfOf } from '../../src/providers/files/test-support/sample-files.js';
import { isFull, report, timeoutMs } from '../support/attack-report.js';
import { type AttackedServer, countTurns, startAttacked } from '../support/attacked-server.js';
import { describeOneDatabase } from '../support/databases.js';
import { type Answer, send } from '../support/server.js';

const sample = /cut in the middle|styles in a circle|an entity from a file|a table in a circle/;
const sent = hostileFiles.filter(({ name }) => isFull || sample.test(name));
/** What a server that has just started may keep after its first files: code that runs fast by now, indexes of what was read. */
const mostGrowthMiB = 150;

describeOneDatabase('hostile files', (database) => {
  let server: AttackedServer;
  let identity: Record<string, string>;

  beforeAll(async () => {
    server = await startAttacked(database());
    const body = { user_id: 'u1' };
    const created: Answer = await send(server.url, { method: 'POST', path: '/users', body, token: server.token });
    identity = { ...body, user_key: created.body.user_key };
  });
  afterAll(() => server?.stop());

  async function upload(bytes: Buffer): Promise<{ status: number; body: { status?: string } }> {
    const form = new FormData();
    for (const [name, value] of Object.entries(identity)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), 'file.bin');
    const response = await fetch(`${server.url}/resources`, { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as { status?: string } };
  }

  it('take no memory for good and stop nobody else', { timeout: timeoutMs }, async (context) => {
    const fine = pdfOf(['A walrus sleeps.']);
    expect(await upload(fine)).toMatchObject({ status: 200, body: { status: 'extracted' } });
    const [before, keptBefore] = [await server.memoryMiB(), isFull ? await server.keptMemoryMiB() : 0];
    const failed: unknown[] = [];
    let highest = before;
    let extracted = 0;
    for (const { name, make } of sent) {
      const { status, body } = await upload(make());
      if (status >= 500) failed.push({ name, status, body });
      if (body.status === 'extracted') extracted += 1;
      highest = Math.max(highest, await server.memoryMiB());
    }
    expect(await upload(fine)).toMatchObject({ status: 200, body: { status: 'extracted' } });
    const [after, keptAfter] = [await server.memoryMiB(), isFull ? await server.keptMemoryMiB() : 0];
    report(context, 'hostile files', { files: sent.length, 'read all the same': extracted });
    if (isFull) {
      const turns = server.longTurns();
      report(context, 'hostile files', countTurns(turns));
      report(context, 'hostile files', { 'longest turn, ms': Math.max(0, ...turns) }, 'highest');
      const memory = {
        'memory before, MiB': before,
        'largest memory, MiB': highest,
        'memory after, MiB': after,
        'memory kept before, MiB': keptBefore,
        'memory kept after, MiB': keptAfter,
      };
      report(context, 'hostile files', memory, 'highest');
      expect(keptAfter - keptBefore).toBeLessThan(mostGrowthMiB);
    }
    expect(failed).toEqual([]);
  });
});
