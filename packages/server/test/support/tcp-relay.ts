import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, so that a test can cut the line. */
export class TcpRelay {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #state: 'open' | 'cut' | 'frozen' = 'open';

  constructor(target: { host: string; port: number }) {
    this.#server = createServer((incoming) => {
      if (this.#state === 'cut') {
        incoming.destroy();
        return;
      }
      const outgoing = connect(target.port, target.host);
      for (const [from, to] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (chunk) => {
          if (this.#state === 'open') to.write(chunk);
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  async start(): Promise<number> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection and refuses new ones. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections, and takes new ones, but passes nothing on. */
  freeze(): void {
    this.#state = 'frozen';
  }

  /** What was frozen is lost; new connections work. */
  mend(): void {
    this.cut();
    this.#state = 'open';
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }
}
