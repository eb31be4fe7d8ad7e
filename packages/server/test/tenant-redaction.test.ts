import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { redactConversation } from '../src/engine/conversations/read-stored-conversation.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { add, patch } from './support/documents.js';
import { findText } from './support/find-text.js';
import { GatewayUser } from './support/gateway-user.js';
import { useMcpClients } from './support/mcp-client.js';
import { providerClient } from './support/provider.js';
import { useServer } from './support/server.js';

const card = '4111 1111 1111 1111';
const iban = 'DE89 3704 0044 0532 0130 00';
const text = `The walrus pays with ${card} or from ${iban}.`;
const redacted = 'The walrus pays with [REDACTED:CARD_NUMBER] or from [REDACTED:IBAN].';

describeOneDatabase('the redaction that a tenant asks for', (database) => {
  const server = useServer(database);
  const connect = useMcpClients();
  const command = (...args: string[]) => runCommand(['tenant', 'redaction', ...args, ...flagsOf(database())]);

  beforeAll(async () => {
    expect(await command('t1', 'cards', 'ibans')).toMatchObject({
      code: 0,
      stdout: 'Secrets, cards and ibans are redacted for tenant t1 from now on.\n',
    });
    await command('partly', 'cards', 'ibans');
    await command('partly', 'ibans');
    await command('formerly', 'cards');
    await command('formerly', 'none');
  });

  /** Returns an episodic memory as it was stored. */
  async function remembered(tenant: string): Promise<string> {
    const token = await server().token({ tenant, user: `u-${randomUUID()}` });
    const body = { agent_id: 'guide', role: 'user', content: text };
    const { body: stored } = await server().call({ method: 'POST', path: '/v1/memory/episodic', body, token });
    const { body: read } = await server().call({ path: `/v1/memory/episodic/${stored.entry_id ?? stored.id}`, token });
    return read.content;
  }

  it('is none by default', async () => {
    expect(await remembered('untouched')).toBe(text);
    expect(await remembered('formerly')).toBe(text);
  });

  it('applies to what was named last', async () => {
    expect(await remembered('partly')).toBe(text.replace(iban, '[REDACTED:IBAN]'));
  });

  describe('on every path', () => {
    it('covers episodic memory', async () => {
      expect(await remembered('t1')).toBe(redacted);
    });

    it('covers messages and files of the gateway', async () => {
      const me = await GatewayUser.of(server());
      await me.say('c1', text);
      await me.flush('c1');
      expect(
        JSON.stringify(
          await me.found('walrus', { conversation_id: 'c1', scope: ['all_user_memory'], method: 'keyword' }),
        ),
      ).toContain(redacted);
      const other = await GatewayUser.of(server());
      expect((await other.upload(text)).body).toMatchObject({ status: 'extracted' });
      expect(await other.texts('walrus', { method: 'keyword' })).toEqual([redacted]);
    });

    it('covers the one memory', async () => {
      const token = await server().token({ user: `u-${randomUUID()}` });
      const post = (path: string, body: object) => server().call({ method: 'POST', path, body, token });
      expect((await post('/v1/remember', { content: text })).status).toBe(201);
      const { body } = await post('/v1/recall', { query: 'walrus' });
      expect(body.results).toHaveLength(1);
      expect(JSON.stringify(body.results)).toContain(redacted);
    });

    it('covers tiers', async () => {
      const client = providerClient(server, { workspace: 'w1', agent: 'a1' });
      await client.retain({ tier: 'AGENT', content: text, mode: 'replace' });
      const { body } = await client.recall({ query: 'walrus' });
      expect(body.hits[0].snippet).toContain(redacted);
    });

    it('covers what agents commit and search for', async () => {
      const user = await connect(
        server().url,
        await server().token({ user: `u-${randomUUID()}`, claims: { workspace_id: 'w2' } }),
      );
      const propagation = { note: card };
      expect((await user.call('commit_memory', { content: text, propagation })).redactions).toBe(3);
      const { memories } = await user.call('search_memory', { query: `walrus ${card}` });
      expect(memories).toMatchObject([
        { content: expect.stringContaining(redacted), propagation: { note: '[REDACTED:CARD_NUMBER]' } },
      ]);
    });

    it('covers documents whose binding redacts secrets', async () => {
      const admin = await server().token({ roles: ['admin'] });
      const put = (path: string, body: object) =>
        server().call({ method: 'PUT', path: `/v1/tenants/t1/${path}`, body, token: admin });
      expect((await put('schemas/open/1', { schema: { type: 'object' } })).status).toBe(201);
      const binding = { namespace: 'user', schema_id: 'open', schema_version: '1', initial: { notes: [] } };
      const profile = {
        document_bindings: [
          { ...binding, binding_id: 'clean', path: 'clean.json', redact_secrets: true, read_priority: 1 },
          { ...binding, binding_id: 'plain', path: 'plain.json', read_priority: 2 },
        ],
        writable_path_rules: { clean: [''], plain: [''] },
      };
      expect((await put('profiles/payments', profile)).status).toBe(201);
      const write = (name: string) =>
        patch(server(), {
          user: 'u-documents',
          profile: 'payments',
          binding: name,
          document: ['user', `${name}.json`],
          token: admin,
          ops: [add('/notes/-', text)],
        });
      expect((await write('clean')).body).toMatchObject({
        redacted: true,
        document: { content: { notes: [redacted] } },
      });
      expect((await write('plain')).body).toMatchObject({ document: { content: { notes: [text] } } });
      // A document may hold the number, but what recall finds of it may not.
      const token = await server().token({ user: 'u-documents' });
      const recalled = await server().call({ method: 'POST', path: '/v1/recall', body: { query: 'walrus' }, token });
      expect(JSON.stringify(recalled.body.results)).toContain(redacted);
      expect(JSON.stringify(recalled.body.results)).not.toContain(card);
    });

    it('covers conversations that are replayed', () => {
      const json = new TextEncoder().encode(JSON.stringify({ messages: [{ role: 'user', content: text }] }));
      expect(redactConversation({ json, also: ['CARD_NUMBER', 'IBAN'] }).messages).toMatchObject([
        { content: redacted },
      ]);
    });
  });

  it('is recorded in the audit log of the tenant', async () => {
    expect(await findText(database(), 'tenant/redaction')).not.toEqual([]);
    expect((await runCommand(['audit', 'verify', '--tenant', 't1', ...flagsOf(database())])).code).toBe(0);
  });

  it('can only be one of the known kinds', async () => {
    const { code, stderr } = await command('t1', 'names');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Give cards, ibans, or none alone, not "names".'),
    });
  });
});
