interface TensorEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const HEADER_LENGTH_BYTES = 8;

/** Read access to the half-precision tensors of a safetensors file held in memory. */
export class Safetensors {
  readonly #entries: Record<string, TensorEntry>;
  readonly #data: Uint8Array;

  constructor(file: Uint8Array) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const headerEnd = HEADER_LENGTH_BYTES + Number(view.getBigUint64(0, true));
    this.#entries = JSON.parse(new TextDecoder().decode(file.subarray(HEADER_LENGTH_BYTES, headerEnd)));
    this.#data = file.subarray(headerEnd);
  }

  /** The tensor's bits as stored, copied so that they are aligned. */
  half(name: string): Uint16Array {
    const entry = this.#entries[name];
    if (entry?.dtype !== 'F16') throw new Error(`The model has no half-precision tensor '${name}'`);
    return new Uint16Array(Uint8Array.from(this.#data.subarray(...entry.data_offsets)).buffer);
  }

  float(name: string): Float32Array {
    const values = this.half(name);
    const floats = new Float32Array(values.length);
    for (let i = 0; i < values.length; i++) floats[i] = HALF_TO_FLOAT[values[i] as number] as number;
    return floats;
  }
}

const HALF_TO_FLOAT = Float32Array.from({ length: 0x10000 }, (_, bits) => {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
});
