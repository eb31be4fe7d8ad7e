import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.js';

interface Received {
  body: string;
  headers: Record<string, string>;
}

export interface WebhookEndpoint {
  /** `https://127.0.0.1:<port>`; any path can be used. */
  url: string;
  /** File with the certificate, for NODE_EXTRA_CA_CERTS. */
  certificate: string;
  /** What was received on a path, oldest first. */
  received(path: string): Received[];
  /** Statuses to respond with on a path, one after the other; then 204. `hang` never responds. */
  respond(path: string, ...statuses: (number | 'hang')[]): void;
  close(): void;
}

/** Starts an endpoint over TLS. */
export async function startWebhookEndpoint(): Promise<WebhookEndpoint> {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-webhook-'));
  const { key, certificate } = makeCertificate(directory);
  const all = new Map<string, Received[]>();
  const answers = new Map<string, (number | 'hang')[]>();
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    const path = request.url ?? '';
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      all.set(path, [...(all.get(path) ?? []), { body, headers: request.headers as Record<string, string> }]);
      const status = answers.get(path)?.shift() ?? 204;
      if (status !== 'hang') response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate,
    received: (path) => all.get(path) ?? [],
    respond: (path, ...statuses) => void answers.set(path, statuses),
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(directory, { recursive: true });
    },
  };
}
