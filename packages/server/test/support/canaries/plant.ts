import { expect } from 'vitest';
import type { Memhall } from '../../../src/open-memhall.js';
import { add } from '../documents.js';
import { GatewayUser } from '../gateway-user.js';
import type { Call, TestServer } from '../server.js';
import { type Plant, type Reader, users } from './cast.js';
import type { RowName } from './what-finds-what.js';

/** In every planted text, so that one query matches all of them. */
export const everywhereWord = 'zephyrite';
export const wordPattern = /qq[a-j]{4}x/gi;
/** The only tenant that the plugin listener serves. */
export const pluginTenant = 'north';

/** Plants canaries through every surface: made-up words, each in one text only. */
export class Planter {
  readonly plants: Plant[] = [];
  readonly gatewayUsers = new Map<string, GatewayUser>();

  #server: TestServer | undefined;

  get server(): TestServer {
    if (this.#server === undefined) throw new Error('no server yet');
    return this.#server;
  }

  set server(server: TestServer) {
    this.#server = server;
  }

  /** The library opens an embedded database for itself alone, so this comes before the server starts. */
  async plantByLibrary(library: Memhall, tenant: string): Promise<void> {
    for (const user of users) {
      const at = { tenant, writer: user };
      await this.#plant('library', at, (content) => library.as({ tenant, user }).remember(content));
    }
    const birds = library.as({ tenant, user: 'bob', namespaces: ['custom:birds'] });
    await this.#plant('granted', { tenant, writer: 'bob', place: 'custom:birds' }, (content) =>
      birds.remember({ content, visibility: { namespace: 'custom:birds' } }),
    );
  }

  /** Plants everything that a user owns, and what the user writes in the workspace of that name. */
  async plantUser(tenant: string, user: string): Promise<void> {
    const at = { tenant, writer: user };
    const own = { name: user, tenant, user };
    const call = (path: string, body: object, method = 'POST') => this.send(own, { method, path, body });
    await this.#plant('remember', at, (content) => call('/v1/remember', { content }));
    await this.#plant('semantic', at, (content) => call('/v1/memory/semantic', { content }));
    const turn = { agent_id: 'a1', role: 'user' };
    await this.#plant('episodic', at, (content) => call('/v1/memory/episodic', { ...turn, content }));
    const procedure = { agent_id: 'a1', procedure_type: 'skill' };
    await this.#plant('procedural', at, (content) => call('/v1/memory/procedural', { ...procedure, content }));
    const chat = await GatewayUser.of(this.server, { tenant, user });
    this.gatewayUsers.set(`${tenant} ${user}`, chat);
    await this.#plant('message', at, (content) => chat.say('open', content));
    await this.#plant('flushed', at, async (_, word) => {
      await chat.say('closed', `I live in ${capital(everywhereWord)} ${capital(word)}.`);
      expect((await chat.flush('closed')).status).toBe(200);
    });
    await this.#plant('resource', at, async (content) => expect((await chat.upload(content)).status).toBe(200));
    await this.#plant('document', at, (content) =>
      this.send(own, {
        method: 'PATCH',
        path: `/v1/tenants/${tenant}/users/${user}/documents/user/user_dynamic.json`,
        headers: { 'if-match': '*', 'idempotency-key': crypto.randomUUID() },
        body: {
          profile_id: 'project-copilot-v1',
          binding_id: 'user_dynamic',
          reason: 'live_update',
          ops: [add('/preferences/-', content)],
        },
      }),
    );
    const file = { command: 'create', path: '/memories/canary.md' };
    for (const agent of [{}, { agent_id: 'a1' }]) {
      await this.#plant('file', at, (content) => call('/v1/memory-tool', { ...file, ...agent, file_text: content }));
    }
    await this.#plant('state', at, (value) => call('/v1/memory/working/plan/key', { value }, 'PUT'));
    await this.#plantSame('remember', own, '/v1/remember', {});
    await this.#plantSame('semantic', own, '/v1/memory/semantic', {});
    await this.#plantWorkspace(own, user);
  }

  /** Plants what several users share. */
  async plantShared(tenant: string): Promise<void> {
    for (const [user, workspace] of [
      ['ann', 'room'],
      ['bob', 'room'],
      ['bob', 'atlas'],
    ] as const) {
      await this.#plantWorkspace({ name: user, tenant, user, workspace }, workspace);
    }
    for (const writer of users) {
      const own = { name: writer, tenant, user: writer };
      await this.#plant('published', { tenant, writer }, (content) =>
        this.send(own, { method: 'POST', path: '/v1/memory/semantic', body: { content, is_public: true } }),
      );
    }
    await this.#plantInNamespace('team', { tenant, writer: 'ann', place: 'atlas' });
    await this.#plantInNamespace('team', { tenant, writer: 'bob', place: 'blue' });
    await this.#plantInNamespace('org', { tenant, writer: 'bob', place: 'atlas' });
    await this.#plantInNamespace('org', { tenant, writer: 'atlas', place: 'corp' });
    await this.#plantSame('published', { name: 'bob', tenant, user: 'bob' }, '/v1/memory/semantic', {
      is_public: true,
    });
    const team = { name: 'ann', tenant, user: 'ann', teams: ['atlas'] };
    await this.#plantSame('team', team, '/v1/remember', { namespace: 'team:atlas' }, 'atlas');
    const room = { name: 'ann', tenant, user: 'ann', workspace: 'room' };
    await this.#plantSame('committed', room, '/v1/remember', { namespace: 'workspace:room', kind: 'fact' }, 'room');
    if (tenant === pluginTenant) await this.plantByPlugin('ann', 'room');
  }

  async send(reader: Reader, call: Call) {
    const answer = await this.server.call({ ...call, token: await this.tokenOf(reader) });
    expect([call.path, answer.status < 300 ? 200 : answer.body]).toEqual([call.path, 200]);
    return answer.body;
  }

  tokenOf(reader: Reader): Promise<string> {
    const { tenant, user, service, workspace, teams, org, orgRoot, namespaces, agent, crew } = reader;
    return this.server.token({
      tenant,
      user: service?.user ?? user,
      ...(service && { roles: [service.role] }),
      claims: {
        ...(workspace && { workspace_id: workspace }),
        ...(teams && { team_id: teams[0] ?? '' }),
        ...(org && { org_id: org }),
        ...(orgRoot && { org_root: true }),
        ...(namespaces && { namespaces: [...namespaces] }),
        ...(agent && { agent_id: agent }),
        ...(crew && { crew_id: crew }),
      },
    });
  }

  /** Calls a tool over MCP and returns the whole response as text. */
  async callTool(reader: Reader, name: string, input: object): Promise<string> {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const headers = { accept: 'application/json, text/event-stream' };
    const token = await this.tokenOf(reader);
    const answer = await this.server.call({ method: 'POST', path: '/mcp', headers, body, token });
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    expect([answer.status, text.includes('"isError":true') ? text : '']).toEqual([200, '']);
    return text;
  }

  async #plantWorkspace(reader: Reader, place: string): Promise<void> {
    const at = { tenant: reader.tenant, writer: reader.user, place };
    await this.#plant('committed', at, (content) => this.callTool(reader, 'commit_memory', { content }));
    const notes = [
      { owners: {}, noteOwner: 'workspace' },
      { owners: { agent_id: 'a1' }, noteOwner: 'agent:a1' },
      { owners: { agent_id: 'a2' }, noteOwner: 'agent:a2' },
      { owners: { crew_id: 'c1' }, noteOwner: 'crew:c1' },
    ];
    // A day for each user, because neighbouring lines of one text are one memory.
    const key = `2026-01-0${1 + users.indexOf(reader.user as (typeof users)[number])}`;
    for (const { owners, noteOwner } of notes) {
      await this.#plant('notes', { ...at, noteOwner }, (content) =>
        this.send(reader, {
          method: 'POST',
          path: '/v1/provider/retain',
          body: { workspace_id: place, ...owners, tier: 'daily', key, mode: 'append', content },
        }),
      );
    }
  }

  async #plantInNamespace(row: 'team' | 'org', at: { tenant: string; writer: string; place: string }): Promise<void> {
    const { tenant, writer: user, place } = at;
    const member = {
      name: user,
      tenant,
      user,
      ...(row === 'team' ? { teams: [place] } : { org: place, orgRoot: true }),
    };
    await this.#plant(row, at, (content) =>
      this.send(member, { method: 'POST', path: '/v1/remember', body: { content, namespace: `${row}:${place}` } }),
    );
  }

  /** Plants one sentence in many places: its copies may be grouped only with others that the reader may read. */
  async #plantSame(row: RowName, reader: Reader, path: string, more: object, place?: string): Promise<void> {
    const content = `Everybody says that ${everywhereWord} is blue.`;
    const answer = await this.send(reader, { method: 'POST', path, body: { content, ...more } });
    const at = { tenant: reader.tenant, writer: reader.user, ...(place && { place }) };
    this.plants.push({ row, ...at, word: '', ids: [answer.memory?.id ?? answer.id] });
  }

  /** Plants in the namespaces of these workspaces, which must exist. */
  async plantByPlugin(...places: readonly string[]): Promise<void> {
    for (const place of places) {
      await this.#plant('plugin', { tenant: pluginTenant, writer: null, place }, async (content) => {
        const response = await fetch(`${this.server.pluginUrl}/v1/namespaces/workspace:${place}/memories`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ content, kind: 'fact', source: 'agent' }),
        });
        expect(response.status).toBe(201);
      });
    }
  }

  async #plant(
    row: RowName,
    at: Omit<Plant, 'row' | 'word' | 'ids'>,
    write: (content: string, word: string) => Promise<unknown>,
  ): Promise<void> {
    const word = wordOf(this.plants.length);
    this.plants.push({ row, ...at, word, ids: [] });
    await write(`The ${everywhereWord} of ${word} is a secret place.`, word);
  }
}

/** All words have one length, so none is contained in another. */
function wordOf(index: number): string {
  const letters = [...String(index).padStart(4, '0')].map((digit) => 'abcdefghij'[Number(digit)]);
  return `qq${letters.join('')}x`;
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
