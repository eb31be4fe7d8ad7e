import type { GatewayUser } from './gateway-user.js';
import type { McpUser } from './mcp-client.js';
import { personalWrites } from './personal-writes.js';
import type { Answer, Call, TestServer } from './server.js';

/** The header that takes one call off the record. */
export const off = { 'off-the-record': 'true' };

interface Writer {
  /** Default: the one named after the user. */
  workspace?: string;
  server: TestServer;
  gateway: GatewayUser;
  token: string;
  marker: string;
}

/** Returns calls with the token that write through every surface of the main listener, each with the marker in its texts. */
export function tokenWrites({ gateway, marker, workspace = gateway.user }: Omit<Writer, 'server'>): Call[] {
  const { tenant, user } = gateway;
  const text = `I prefer ${marker} tea.`;
  return [
    ...personalWrites({ tenant, user }, marker),
    { method: 'POST', path: '/v1/remember', body: { content: text }, headers: { 'idempotency-key': marker } },
    { method: 'POST', path: '/v1/remember', body: { memories: [{ content: text }, { content: `${text} Twice.` }] } },
    { method: 'POST', path: '/v1/remember', body: { content: text, namespace: `workspace:${workspace}` } },
    {
      method: 'POST',
      path: '/v1/memory/episodic',
      body: { entries: [{ agent_id: 'a', role: 'user', content: text }] },
    },
  ];
}

/** Sends what the gateway stores with a key: messages, a flush and a file. */
export async function gatewayWrites({ server, gateway, marker }: Writer, headers: Record<string, string>) {
  const post = (path: string, body: object) =>
    server.call({ method: 'POST', path, body: { ...gateway.identity, ...body }, headers, token: '' });
  const message = { sender_id: gateway.user, role: 'user', timestamp: 1_780_000_000_000, content: `I met ${marker}.` };
  const chat = { session_id: 'chat:1' };
  return {
    added: await post('/memories/add', { ...chat, messages: [message] }),
    flushed: await post('/memories/flush', chat),
    uploaded: await upload({ server, gateway, marker }, headers),
  };
}

async function upload(
  { server, gateway, marker }: Omit<Writer, 'token'>,
  headers: Record<string, string>,
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(gateway.identity)) form.append(name, value);
  form.append('file', new Blob([`# A file about ${marker}`]), `${marker}.md`);
  const response = await fetch(`${server.url}/resources`, { method: 'POST', body: form, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Calls the tools that store something, each off the record. */
export async function toolWrites({ client }: McpUser, marker: string) {
  const content = `The team likes ${marker}.`;
  const call = async (name: string, input: Record<string, unknown>) => {
    const meta = { 'memhall/off_the_record': true };
    const { structuredContent } = await client.callTool({ name, arguments: input, _meta: meta });
    return structuredContent as Record<string, unknown>;
  };
  return {
    committed: await call('commit_memory', { content }),
    summarised: await call('commit_summary', { content }),
    written: await call('memory_write', { tier: 'AGENT', content }),
    noted: await call('memory_append_daily', { entry: content }),
  };
}
