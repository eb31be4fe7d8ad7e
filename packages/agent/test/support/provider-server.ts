import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LocalProvider } from '../../src/provider/local/local-provider.js';
import { ProviderInvalid } from '../../src/provider/provider-errors.js';

export interface ProviderServer {
  url: string;
  close(): Promise<void>;
}

const statuses: Record<string, number> = { TIER_CAP_EXCEEDED: 422, CONTENT_BLOCKED: 422, FORBIDDEN: 403 };

/** Implements a server's provider calls on files: only the wire format. */
export function startProviderServer(
  rootsOf: (owner: { agentId: string; crewId: string }) => { root: string; crewRoot: string },
): Promise<ProviderServer> {
  return serve(async (request, response) => {
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/v1/provider/health') return send(200, { ok: true, checked_at: new Date().toISOString() });
    const body = JSON.parse(await textOf(request));
    const { workspace_id: workspaceId, agent_id: agentId, crew_id: crewId, data_subject_id, ...fields } = body;
    const owner = { workspaceId, agentId, crewId };
    const provider = new LocalProvider({ ...rootsOf(owner), ...owner });
    try {
      if (data_subject_id !== undefined) send(200, { removed: 0 });
      else if (request.url === '/v1/provider/retain') send(200, await provider.retain({ ...owner, ...fields }));
      else if (request.url === '/v1/provider/read') send(200, await provider.read({ ...owner, ...fields }));
      else if (request.url === '/v1/provider/recall') {
        send(200, { quarantined: [], ...(await provider.recall({ ...owner, ...fields })) });
      } else send(200, await provider.forget({ ...owner, ...fields }));
    } catch (error) {
      if (!(error instanceof ProviderInvalid)) return send(503, { error: { code: 'UNAVAILABLE', message: 'No.' } });
      const { code, message, details } = error;
      send(statuses[code] ?? 400, { error: { code, message, details } });
    }
  });
}

export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<ProviderServer> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
