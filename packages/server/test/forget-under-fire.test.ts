import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { signToken } from '../src/cli/sign-token.js';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { tokenSecret } from '../src/composition/token-verifier.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { startServer } from '../src/main.js';
import { describeEachDatabase } from './support/databases.js';
import { findText } from './support/find-text.js';
import { conversationWrite, newMarker, personalWrites } from './support/personal-writes.js';
import { send } from './support/server.js';

const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 20;
const writers = 16;
const who = { tenant: 't1', user: 'u1' };

describeEachDatabase('a user forgotten during concurrent writes', (database) => {
  it(
    `leaves no trace of earlier requests, ${rounds} times in a row`,
    async () => {
      let log = '';
      const sink = new Writable({
        write(chunk, _encoding, done) {
          log += chunk;
          done();
        },
      });
      const config = database().config({ embedder: 'local', jobs: 'true' });
      // Two servers share PostgreSQL; an embedded database has only one server.
      const count = database().kind === 'postgres' ? 2 : 1;
      const servers = await Promise.all(
        Array.from({ length: count }, () => startServer(config, pino({ level: 'trace' }, sink))),
      );
      const secret = (await tokenSecret(config)) ?? '';
      const sign = (roles: string[]) => signToken(secret, { ...who, roles, ttlSeconds: 600 });
      const [token, admin] = [await sign([]), await sign(['admin'])];
      const urlOf = (index: number) => servers[index % count]?.url ?? '';

      const fire = new Fire(urlOf, token);
      const running = Array.from({ length: writers }, (_, writer) => fire.run(writer));
      try {
        for (let round = 0; round < rounds; round++) {
          await fire.until(writers * 4);
          const { marker, settled } = fire.changeMarker();
          // Let the sent requests arrive but not finish. Clients and servers share one event loop.
          for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
          const path = `/v1/tenants/t1/users/u1/memory`;
          const forgotten = await send(urlOf(round), { method: 'DELETE', path, token: admin });
          expect(forgotten.status, JSON.stringify(forgotten.body)).toBe(200);
          await settled();
          expect(await findText(database(), marker)).toEqual([]);
          expect(log).not.toContain(marker);
          const { id } = forgotten.body.receipt;
          const checked = await send(urlOf(round + 1), { path: `/v1/tenants/t1/receipts/${id}`, token: admin });
          expect(checked.body).toMatchObject({ verified: true });
        }
      } finally {
        fire.stop();
        await Promise.all(running);
        await Promise.all(servers.map((server) => server.close()));
      }
      expect(fire.unexpected).toEqual([]);

      const opened = await openDatabase(config, pino({ level: 'silent' }));
      expect((await verifyAudit(openStore(opened))).faults).toEqual([]);
      await opened.close();
    },
    60_000 + rounds * 30_000,
  );
});

/** Writers that continue whatever the response is. All use the same marker until it is changed. */
class Fire {
  readonly unexpected: string[] = [];
  readonly #urlOf: (index: number) => string;
  readonly #token: string;
  #marker = newMarker();
  #inFlight = new Set<Promise<void>>();
  #written = 0;
  #stopped = false;

  constructor(urlOf: (index: number) => string, token: string) {
    this.#urlOf = urlOf;
    this.#token = token;
  }

  /** Switches to a new marker. Every earlier request carries the returned `marker`, and no later one does. */
  changeMarker(): { marker: string; settled(): Promise<void> } {
    const sent = [...this.#inFlight];
    const marker = this.#marker;
    this.#marker = newMarker();
    this.#written = 0;
    return { marker, settled: async () => void (await Promise.all(sent)) };
  }

  /** Waits until the given number of writes with the current marker have been stored. */
  async until(count: number): Promise<void> {
    while (this.#written < count) await sleep(10);
  }

  stop(): void {
    this.#stopped = true;
  }

  async run(writer: number): Promise<void> {
    for (let number = writer; !this.#stopped; number += writers) {
      const calls = personalWrites(who, this.#marker, number);
      calls.push(conversationWrite(who, this.#marker, number, true));
      const call = calls[Math.floor(number / writers + writer) % calls.length];
      if (call === undefined) return;
      const sending = this.#send(writer, call);
      this.#inFlight.add(sending);
      await sending;
      this.#inFlight.delete(sending);
    }
  }

  async #send(writer: number, call: ReturnType<typeof personalWrites>[number]): Promise<void> {
    const { status, body } = await send(this.#urlOf(writer), { ...call, token: this.#token });
    if (status < 300) this.#written += 1;
    else if (!isExpected(call.path, body.error.code)) this.unexpected.push(JSON.stringify(body));
  }
}

/** The user is being forgotten, or was: then there is no subject left to merge. */
function isExpected(path: string, code: string): boolean {
  return code === 'CONFLICT' || (code === 'NOT_FOUND' && path.endsWith(':merge'));
}
