import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { ensureMoment, fromNow } from '../moments.js';
import { asObject, contentsOf, expectStatus, idsOf, type Json, type PluginProbe } from '../plugin-probe.js';
import { nameOfMode, searchModes, towards } from '../search-modes.js';
import { verifies } from '../verifies.js';

const shortLifeMs = 600;
/** Maximum clock difference. */
const toleranceMs = 1000;

/** Waits until a search finds only `rest`. Fails if that does not happen soon after the given time. */
async function untilGone(
  probe: PluginProbe,
  search: Json,
  moment: string,
  rest: readonly string[] = [],
): Promise<void> {
  for (;;) {
    const askedAt = Date.now();
    const left = contentsOf(await probe.search(search)).filter((content) => !rest.includes(String(content)));
    if (left.length === 0) return;
    ensure(askedAt < Date.parse(moment) + toleranceMs, `${show(left)} is still returned after it expired`);
    await probe.wait(50);
  }
}

async function untilPast(probe: PluginProbe, moment: string): Promise<void> {
  await probe.wait(Math.max(0, Date.parse(moment) - Date.now()) + toleranceMs);
}

/** Ensures that no kind of search finds anything but `rest`. */
async function ensureGone(probe: PluginProbe, namespaces: readonly string[], rest: readonly string[]): Promise<void> {
  for (const mode of await searchModes(probe, 'harbour')) {
    const found = contentsOf(await probe.search({ namespaces, ...mode }));
    ensureEqual(new Set(found), new Set(rest), `the result by ${nameOfMode(mode)}`);
  }
}

export const expiryCases = [
  verifies('PLUGIN-NS-12', 'removes the expiry of a namespace', async (probe) => {
    for (const lifeMs of [1500, 6000, 24_000]) {
      const expiresAt = fromNow(lifeMs);
      const name = await probe.newNamespace({ expires_at: expiresAt });
      await probe.remember(name, 'Stays.');
      const response = await probe.patchNamespace(name, { expires_at: null });
      // A slow target gets more time, because this case does not test speed.
      if (Date.now() > Date.parse(expiresAt) - toleranceMs / 2 && lifeMs < 24_000) continue;
      expectStatus(response, 200);
      await untilPast(probe, expiresAt);
      ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), ['Stays.'], 'the remaining memories');
      return;
    }
  }),
  verifies('PLUGIN-TTL-05', 'removes the expiry of a memory', async (probe) => {
    const name = await probe.newNamespace();
    const expiresAt = fromNow(shortLifeMs);
    const id = await probe.remember(name, { id: randomUUID(), content: 'Short.', expires_at: expiresAt });
    await probe.remember(name, { id, content: 'Long.' });
    await untilPast(probe, expiresAt);
    ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), ['Long.'], 'the remaining memories');
  }),
  verifies('PLUGIN-TTL-02', 'returns no expired memory', async (probe) => {
    const name = await probe.newNamespace();
    const vector = await towards(probe);
    await probe.remember(name, { content: 'The harbour stays.', ...vector });
    const expiresAt = fromNow(shortLifeMs);
    await probe.remember(name, { content: 'The harbour goes.', expires_at: expiresAt, ...vector });
    await untilGone(probe, { namespaces: [name] }, expiresAt, ['The harbour stays.']);
    await ensureGone(probe, [name], ['The harbour stays.']);
  }),
  verifies('PLUGIN-TTL-04', 'returns nothing of an expired namespace', async (probe) => {
    const stays = await probe.newNamespace();
    const vector = await towards(probe);
    await probe.remember(stays, { content: 'The harbour stays.', ...vector });
    const goes = await probe.newNamespace();
    await probe.remember(goes, { content: 'The harbour goes.', expires_at: '2999-01-01T00:00:00Z', ...vector });
    const expiresAt = fromNow(shortLifeMs);
    await probe.newNamespace({ expires_at: expiresAt }, goes);
    await untilGone(probe, { namespaces: [goes] }, expiresAt);
    await ensureGone(probe, [stays, goes], ['The harbour stays.']);
    ensureEqual(await probe.search({ namespaces: [goes] }), [], 'the result of the expired namespace');
  }),
  verifies('PLUGIN-TTL-07', 'shortens the lifetime of a namespace', async (probe) => {
    const name = await probe.newNamespace({ expires_at: '2999-01-01T00:00:00Z' });
    await probe.remember(name, { content: 'The harbour goes.', ...(await towards(probe)) });
    const expiresAt = fromNow(shortLifeMs);
    expectStatus(await probe.patchNamespace(name, { expires_at: expiresAt }), 200);
    await untilGone(probe, { namespaces: [name] }, expiresAt);
    await ensureGone(probe, [name], []);
  }),
  verifies('PLUGIN-TTL-06', 'does not count expired memories towards the limit', async (probe) => {
    const name = await probe.newNamespace();
    const vector = await towards(probe);
    const stay = ['The harbour stays.', 'The harbour remains.'];
    for (const content of stay) await probe.remember(name, { content, ...vector });
    const expiresAt = fromNow(shortLifeMs);
    for (const pin of probe.has('pin') ? [true, false] : [undefined]) {
      await probe.remember(name, { content: 'Harbour.', expires_at: expiresAt, pin, ...vector });
    }
    await untilGone(probe, { namespaces: [name] }, expiresAt, stay);
    for (const mode of await searchModes(probe, 'harbour')) {
      const found = await probe.search({ namespaces: [name], limit: 2, ...mode });
      ensureEqual(found.length, 2, `the number found by ${nameOfMode(mode)} with a limit of 2`);
    }
  }),
  verifies('PLUGIN-TTL-01', 'returns when memories and namespaces expire', async (probe) => {
    const moment = '2999-12-31T23:59:58.765Z';
    const name = probe.newName();
    const made = await probe.putNamespace(name, { kind: 'custom', expires_at: moment });
    expectStatus(made, 200);
    ensureMoment(asObject(made.body).expires_at, 'expires_at of the namespace', moment);
    await probe.remember(name, { expires_at: moment });
    const [found] = await probe.search({ namespaces: [name] });
    ensureMoment(found?.expires_at, 'expires_at of the memory', moment);
  }),
  verifies('PLUGIN-TTL-03', 'returns nothing that was already expired when written', async (probe) => {
    const name = await probe.newNamespace();
    for (const moment of ['2001-01-01T00:00:00Z', fromNow(-5000)]) {
      expectStatus(await probe.write(name, { content: 'The harbour is late.', expires_at: moment }), 201, 400);
    }
    await ensureGone(probe, [name], []);
  }),
  verifies('PLUGIN-TTL-08', 'handles offsets from UTC', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, { content: 'Stays.', expires_at: '2999-01-01T05:30:00+05:30' });
    const [found] = await probe.search({ namespaces: [name] });
    ensureMoment(found?.expires_at, 'expires_at', '2999-01-01T00:00:00Z');
    // Ignoring the offsets, the first would have expired and the second would not.
    const shifted = (ms: number, offset: string) => `${fromNow(ms).slice(0, 19)}${offset}`;
    const living = await probe.remember(name, { content: 'Lives.', expires_at: shifted(-3_600_000, '-08:00') });
    expectStatus(await probe.write(name, { content: 'Over.', expires_at: shifted(3_600_000, '+08:00') }), 201, 400);
    const ids = idsOf(await probe.search({ namespaces: [name] }));
    ensureEqual(new Set(ids), new Set([id, living]), 'the ids found');
  }),
  verifies('PLUGIN-TTL-09', 'rejects malformed timestamps', async (probe) => {
    const name = await probe.newNamespace();
    for (const moment of ['', 'soon', '2999', '2999-13-01T00:00:00Z', '2999-01-01 of May', 7, true, [], {}]) {
      const responses = [
        await probe.putNamespace(name, { kind: 'custom', expires_at: moment }),
        await probe.patchNamespace(name, { expires_at: moment }),
        await probe.write(name, { expires_at: moment }),
      ];
      for (const { call, status } of responses) {
        ensure(status === 400, `${call} with expires_at ${show(moment)} is ${status} instead of 400`);
      }
    }
    ensureEqual(await probe.search({ namespaces: [name] }), [], 'the stored memories after the rejections');
  }),
  verifies('PLUGIN-TTL-10', 'works without expiry', async (probe) => {
    const name = await probe.newNamespace();
    expectStatus(await probe.write(name, { content: 'May go.', expires_at: '2001-01-01T00:00:00Z' }), 201, 400);
    expectStatus(
      await probe.patchNamespace(name, { expires_at: '2001-01-01T00:00:00Z', metadata: { a: 1 } }),
      200,
      400,
    );
    const other = await probe.newNamespace();
    await probe.remember(other, 'Stays.');
    ensureEqual(contentsOf(await probe.search({ namespaces: [name, other] })).at(0), 'Stays.', 'the first result');
  }),
];
