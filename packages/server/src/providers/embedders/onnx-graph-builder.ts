import { ProtobufWriter } from './protobuf-writer.js';

// Numbers of onnx.proto: TensorProto.DataType.
const DATA_TYPES = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;
// Numbers of onnx.proto: AttributeProto.AttributeType.
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

const IR_VERSION = 8;
const STANDARD_OPSET = 17;
export const MICROSOFT_DOMAIN = 'com.microsoft';

type TensorType = keyof typeof DATA_TYPES;
type Attribute = { int: number } | { float: number } | { ints: readonly number[] };

interface NodeOptions {
  domain?: typeof MICROSOFT_DOMAIN;
  attributes?: Record<string, Attribute>;
}

/** Builds an ONNX model. Values are named by their position, so equal calls give equal bytes. */
export class OnnxGraphBuilder {
  readonly #graph = new ProtobufWriter();
  #names = 0;

  input(name: string, type: TensorType, shape: readonly (string | number)[]): string {
    this.#graph.message(11, toValueInfo(name, type, shape));
    return name;
  }

  output(name: string, value: string, type: TensorType, shape: readonly (string | number)[]): void {
    this.#writeNode('Identity', [value], [name], {});
    this.#graph.message(12, toValueInfo(name, type, shape));
  }

  /** `data` must be little-endian, as typed arrays are on every platform that Node supports. */
  constant(type: TensorType, shape: readonly number[], data: ArrayBufferView): string {
    const name = this.#nextName('c');
    const tensor = new ProtobufWriter();
    for (const size of shape) tensor.varint(1, size);
    tensor.varint(2, DATA_TYPES[type]).text(8, name);
    tensor.bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    this.#graph.message(5, tensor);
    return name;
  }

  /** An empty input name stands for an omitted optional input. */
  node(operator: string, inputs: readonly string[], options: NodeOptions = {}): string {
    const output = this.#nextName('v');
    this.#writeNode(operator, inputs, [output], options);
    return output;
  }

  nodeWithThreeOutputs(operator: string, inputs: readonly string[], options: NodeOptions = {}) {
    const outputs: [string, string, string] = [this.#nextName('v'), this.#nextName('v'), this.#nextName('v')];
    this.#writeNode(operator, inputs, outputs, options);
    return outputs;
  }

  toBytes(): Uint8Array {
    return new ProtobufWriter()
      .varint(1, IR_VERSION)
      .text(2, 'memhall')
      .message(7, this.#graph.text(2, 'graph'))
      .message(8, new ProtobufWriter().text(1, '').varint(2, STANDARD_OPSET))
      .message(8, new ProtobufWriter().text(1, MICROSOFT_DOMAIN).varint(2, 1))
      .toBytes();
  }

  #nextName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  #writeNode(operator: string, inputs: readonly string[], outputs: readonly string[], options: NodeOptions): void {
    const node = new ProtobufWriter();
    for (const name of inputs) node.text(1, name);
    for (const name of outputs) node.text(2, name);
    node.text(4, operator);
    for (const [name, value] of Object.entries(options.attributes ?? {})) node.message(5, toAttribute(name, value));
    if (options.domain !== undefined) node.text(7, options.domain);
    this.#graph.message(1, node);
  }
}

function toAttribute(name: string, value: Attribute): ProtobufWriter {
  const attribute = new ProtobufWriter().text(1, name);
  if ('float' in value) return attribute.float32(2, value.float).varint(20, ATTRIBUTE_FLOAT);
  if ('int' in value) return attribute.varint(3, value.int).varint(20, ATTRIBUTE_INT);
  for (const item of value.ints) attribute.varint(8, item);
  return attribute.varint(20, ATTRIBUTE_INTS);
}

function toValueInfo(name: string, type: TensorType, shape: readonly (string | number)[]): ProtobufWriter {
  const dimensions = new ProtobufWriter();
  for (const size of shape) {
    const dimension = new ProtobufWriter();
    dimensions.message(1, typeof size === 'number' ? dimension.varint(1, size) : dimension.text(2, size));
  }
  const tensor = new ProtobufWriter().varint(1, DATA_TYPES[type]).message(2, dimensions);
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
}
