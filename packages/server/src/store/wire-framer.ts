/** Splits a client's byte stream into complete messages of the PostgreSQL frontend protocol. */
export class WireFramer {
  #buffered: Buffer = Buffer.alloc(0);
  #started = false;

  /**
   * Returns the messages that are now complete, in order. The first one is the startup packet, which has no type byte.
   */
  push(chunk: Buffer): Buffer[] {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const typeBytes = this.#started ? 1 : 0;
      if (this.#buffered.length < typeBytes + 4) return messages;
      const length = typeBytes + this.#buffered.readUInt32BE(typeBytes);
      if (this.#buffered.length < length) return messages;
      messages.push(this.#buffered.subarray(0, length));
      this.#buffered = this.#buffered.subarray(length);
      this.#started = true;
    }
  }
}
