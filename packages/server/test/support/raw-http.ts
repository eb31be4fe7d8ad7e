import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not typed
  body: any;
}

/** A TCP connection to a server, for requests that no HTTP client would send. */
export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #waiting: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  static open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((done, fail) => {
      const socket = connect(Number(port), hostname);
      socket.once('error', fail);
      socket.once('connect', () => done(new RawConnection(socket)));
    });
  }

  /** Resolves when the bytes have been sent or can no longer be sent. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((done) => this.#socket.write(bytes, () => done()));
  }

  get open(): boolean {
    return !this.#ended;
  }

  /** Returns the next response, or undefined if the server closes the connection without one. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== undefined || this.#ended) return answer;
      await this.#changed();
    }
  }

  /** Waits until the server closes the connection. */
  async closed(): Promise<void> {
    while (!this.#ended) await this.#changed();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #changed(): Promise<void> {
    return new Promise((done) => this.#waiting.push(done));
  }

  #wake(): void {
    for (const done of this.#waiting.splice(0)) done();
  }

  #takeAnswer(): RawAnswer | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const [statusLine = '', ...lines] = this.#received.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
    if (this.#received.length < bodyEnd) return undefined;
    const text = this.#received.subarray(headEnd + 4, bodyEnd).toString('utf8');
    this.#received = this.#received.subarray(bodyEnd);
    const json = /[/+]json\b/.test(headers['content-type'] ?? '') && text !== '';
    return { status: Number(statusLine.split(' ')[1]), headers, body: json ? JSON.parse(text) : text };
  }
}

/** Sends bytes on a new connection and returns the first response. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  const connection = await RawConnection.open(url);
  try {
    await connection.send(bytes);
    return await connection.answer();
  } finally {
    connection.destroy();
  }
}
