import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Relays connections between a client and a server so that a test can cut them. */
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

  /** Closes every connection and refuses new ones. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections and accepts new ones, but forwards nothing. */
  freeze(): void {
    this.#state = 'frozen';
  }

  /** Drops every connection, including frozen ones, and accepts new ones. */
  mend(): void {
    this.cut();
    this.#state = 'open';
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }
}
