import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, dynamic, project } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { pastEverything } from './support/past-everything.js';
import { useServer } from './support/server.js';

const ops = [add('/preferences/-', 'once')];
const keyed = (key: string, more = {}) => ({ headers: { 'idempotency-key': key, ...more } });

describeOneDatabase('a write with an Idempotency-Key', (database) => {
  const server = useServer(database);
  const newUser = () => DocumentUser.of(server());

  it('is applied once and returns the same response each time', async () => {
    const user = await newUser();
    const first = await user.patch(dynamic, ops, keyed('k'));
    expect(first.body.idempotency_replay).toBe(false);
    const again = await user.patch(dynamic, ops, keyed('k'));
    expect([again.status, again.body]).toEqual([200, { ...first.body, idempotency_replay: true }]);
    expect(again.headers.get('etag')).toBe(first.body.etag);
    expect(await user.content(dynamic)).toMatchObject({ preferences: ['once'] });
    expect(await user.versions(dynamic)).toHaveLength(1);
  });

  it('returns its original response even after later changes to the document', async () => {
    const user = await newUser();
    const first = await user.patched(project, [add('/recent_notes/-', 'first')], keyed('k'));
    for (let count = 0; count < 40; count++) await user.patched(project, [add('/summary', `s${count}`)]);
    const again = await user.patched(project, [add('/recent_notes/-', 'first')], keyed('k'));
    expect(again).toEqual({ ...first, idempotency_replay: true });
    expect(await user.content(project)).toMatchObject({ summary: 's39', recent_notes: ['first'] });
  });

  it('is identified by method, path and body, but not by its precondition', async () => {
    const user = await newUser();
    const { etag } = await user.patched(dynamic, []);
    await user.patched(dynamic, ops, keyed('k', { 'if-match': etag }));
    const again = await user.patched(dynamic, ops, keyed('k', { 'if-match': '"stale"' }));
    expect(again.idempotency_replay).toBe(true);
    const reordered = await user.patched(dynamic, ops, { ...keyed('k'), body: { ops, reason: 'live_update' } });
    expect(reordered.idempotency_replay).toBe(true);
    for (const answer of [
      await user.patch(dynamic, [...ops, ...ops], keyed('k')),
      await user.patch(dynamic, ops, { ...keyed('k'), body: { confidence: 0.9 } }),
      await user.patch(dynamic, ops, { ...keyed('k'), body: { reason: 'compaction' } }),
      await user.patch(project, [], keyed('k')),
      await user.put(dynamic, {}, { ...keyed('k'), token: await user.token({ roles: ['admin'] }) }),
    ]) {
      expectProblem(answer, 'IDEMPOTENCY_CONFLICT');
    }
    expect(await user.versions(dynamic)).toHaveLength(2);
  });

  it('repeats a PUT, and rejects a PATCH with the same key', async () => {
    const user = await newUser();
    const token = await user.token({ roles: ['admin'] });
    const first = await user.put(dynamic, { preferences: ['x'] }, { ...keyed('k'), token });
    const again = await user.put(dynamic, { preferences: ['x'] }, { ...keyed('k'), token });
    expect(again.body).toEqual({ ...first.body, idempotency_replay: true });
    expectProblem(await user.patch(dynamic, [], keyed('k')), 'IDEMPOTENCY_CONFLICT');
  });

  it('is not recorded if it failed, so a rebased write can reuse its key after a 412', async () => {
    const user = await newUser();
    const { etag } = await user.patched(dynamic, [add('/preferences', ['mine'])]);
    const theirs = await user.patched(dynamic, [add('/preferences/0', 'theirs')]);
    const stale = [{ op: 'replace', path: '/content/preferences/0', value: 'mine too' }];
    for (let tries = 0; tries < 2; tries++) {
      expectProblem(await user.patch(dynamic, stale, keyed('k', { 'if-match': etag })), 'ETAG_MISMATCH');
    }
    expectProblem(await user.patch(dynamic, [add('/nowhere', 1)], keyed('k')), 'PATH_NOT_WRITABLE');
    expectProblem(await user.patch(dynamic, [add('/preferences', 1)], keyed('k')), 'SCHEMA_VALIDATION_FAILED');
    const rebased = [{ op: 'replace', path: '/content/preferences/1', value: 'mine too' }];
    const done = await user.patched(dynamic, rebased, keyed('k', { 'if-match': theirs.etag }));
    expect(done).toMatchObject({
      idempotency_replay: false,
      document: { content: { preferences: ['theirs', 'mine too'] } },
    });
    expectProblem(await user.patch(dynamic, stale, keyed('k', { 'if-match': etag })), 'IDEMPOTENCY_CONFLICT');
  });

  it('is recorded even if it changed nothing', async () => {
    const user = await newUser();
    const { etag } = await user.patched(dynamic, []);
    const test = [{ op: 'test', path: '/content/preferences', value: [] }];
    await user.patched(dynamic, test, keyed('k'));
    await user.patched(dynamic, ops);
    expect(await user.patched(dynamic, test, keyed('k'))).toMatchObject({ etag, idempotency_replay: true });
  });

  it('returns the same result to all concurrent senders', async () => {
    const user = await newUser();
    const { etag } = await user.patched(dynamic, []);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.patched(dynamic, ops, keyed('k', { 'if-match': etag }))),
    );
    expect(answers.filter(({ idempotency_replay }) => !idempotency_replay)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.etag)).size).toBe(1);
    expect(await user.content(dynamic)).toMatchObject({ preferences: ['once'] });
  });

  it('keeps the keys of different users apart', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const elsewhere = await DocumentUser.of(server(), { tenant: 't2', user: one.user });
    for (const user of [one, other, elsewhere]) {
      expect(await user.patched(dynamic, ops, keyed('shared'))).toMatchObject({ idempotency_replay: false });
    }
    expectProblem(await other.patch(dynamic, [], keyed('shared')), 'IDEMPOTENCY_CONFLICT');
  });

  it('is remembered for 24 hours', async () => {
    const user = await newUser();
    const age = (interval: string) =>
      pastEverything(
        database(),
        `UPDATE memhall.idempotency_keys SET created_at = created_at - interval '${interval}' WHERE user_id = '${user.user}'`,
      );
    await user.patched(dynamic, ops, keyed('k'));
    await age('23 hours 59 minutes');
    expect(await user.patched(dynamic, ops, keyed('k'))).toMatchObject({ idempotency_replay: true });
    await age('1 minute');
    const other = [add('/preferences/-', 'twice')];
    expect(await user.patched(dynamic, other, keyed('k'))).toMatchObject({ idempotency_replay: false });
    expect(await user.patched(dynamic, other, keyed('k'))).toMatchObject({ idempotency_replay: true });
    expect(await user.content(dynamic)).toMatchObject({ preferences: ['once', 'twice'] });
  });
});
