type WireType = 0 | 2 | 5;

/** Minimal Protocol Buffers encoder for ONNX. Large byte fields are referenced, not copied, until `toBytes`. */
export class ProtobufWriter {
  readonly #chunks: Uint8Array[] = [];
  #byteLength = 0;

  varint(field: number, value: number | bigint): this {
    this.#tag(field, 0);
    this.#varint(BigInt.asUintN(64, BigInt(value)));
    return this;
  }

  float32(field: number, value: number): this {
    this.#tag(field, 5);
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    this.#push(bytes);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, 2);
    this.#varint(BigInt(value.byteLength));
    this.#push(value);
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, 'utf8'));
  }

  message(field: number, value: ProtobufWriter): this {
    this.#tag(field, 2);
    this.#varint(BigInt(value.#byteLength));
    for (const chunk of value.#chunks) this.#push(chunk);
    return this;
  }

  toBytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#byteLength);
  }

  #tag(field: number, wireType: WireType): void {
    this.#varint(BigInt((field << 3) | wireType));
  }

  #varint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    while (rest > 0x7fn) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#push(Uint8Array.from(bytes));
  }

  #push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#byteLength += chunk.byteLength;
  }
}
