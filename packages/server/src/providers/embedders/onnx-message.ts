// Numbers of fields in onnx.proto.
const MODEL = { graph: 7, functions: 25 };
const GRAPH = { node: 1, initializer: 5, output: 12, sparseInitializer: 15 };
const VALUE_TYPE = 2;
const TYPE_TENSOR = 1;
const TENSOR_SHAPE = 2;
const SHAPE_DIMENSION = 1;
const DIMENSION_SIZE = 1;
const FUNCTION_NODE = 7;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE = { tensor: 5, graph: 6, tensors: 10, graphs: 11, sparse: 22, sparses: 23 };
const SPARSE = { values: 1, indices: 2 };
const TENSOR = { externalData: 13, dataLocation: 14 };
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

/**
 * Says whether a model names other files that hold its weights. The runtime would open them, wherever they are. Skips
 * over the weights, so it takes no time worth mentioning.
 */
export function hasExternalData(model: Uint8Array): boolean {
  return anyField(model, (field, value) => {
    if (field === MODEL.graph) return inGraph(value);
    return field === MODEL.functions && anyField(value, (inner, node) => inner === FUNCTION_NODE && inNode(node));
  });
}

/** Returns the last dimension of the first output, as the model declares it; undefined if it declares no number. */
export function outputSize(model: Uint8Array): number | undefined {
  const path = [MODEL.graph, GRAPH.output, VALUE_TYPE, TYPE_TENSOR, TENSOR_SHAPE];
  let shape: Uint8Array | undefined = model;
  for (const field of path) shape = shape && firstField(shape, field);
  let last: Uint8Array | undefined;
  if (shape !== undefined)
    anyField(shape, (field, value) => {
      if (field === SHAPE_DIMENSION) last = value;
      return false;
    });
  const size = last && firstField(last, DIMENSION_SIZE);
  const { value } = size === undefined ? { value: 0 } : readVarint(size, 0);
  return value > 0 ? value : undefined;
}

function firstField(message: Uint8Array, wanted: number): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  anyField(message, (field, value) => {
    if (field === wanted) found = value;
    return found !== undefined;
  });
  return found;
}

function inGraph(graph: Uint8Array): boolean {
  return anyField(graph, (field, value) => {
    if (field === GRAPH.node) return inNode(value);
    if (field === GRAPH.initializer) return isExternal(value);
    return field === GRAPH.sparseInitializer && inSparse(value);
  });
}

function inNode(node: Uint8Array): boolean {
  return anyField(node, (field, value) => field === NODE_ATTRIBUTE && anyField(value, inAttribute));
}

function inAttribute(field: number, value: Uint8Array): boolean {
  if (field === ATTRIBUTE.tensor || field === ATTRIBUTE.tensors) return isExternal(value);
  if (field === ATTRIBUTE.graph || field === ATTRIBUTE.graphs) return inGraph(value);
  return (field === ATTRIBUTE.sparse || field === ATTRIBUTE.sparses) && inSparse(value);
}

function inSparse(sparse: Uint8Array): boolean {
  return anyField(sparse, (field, value) => (field === SPARSE.values || field === SPARSE.indices) && isExternal(value));
}

function isExternal(tensor: Uint8Array): boolean {
  return anyField(
    tensor,
    (field, value) => field === TENSOR.externalData || (field === TENSOR.dataLocation && value[0] === 1),
  );
}

/** Throws if the bytes are not a protobuf message. A number is passed on as its bytes. */
function anyField(message: Uint8Array, test: (field: number, value: Uint8Array) => boolean): boolean {
  let at = 0;
  while (at < message.length) {
    const tag = readVarint(message, at);
    at = tag.end;
    const wire = tag.value % 8;
    let end = at;
    if (wire === WIRE.varint) end = readVarint(message, at).end;
    else if (wire === WIRE.fixed64) end += 8;
    else if (wire === WIRE.fixed32) end += 4;
    else if (wire === WIRE.bytes) {
      const length = readVarint(message, at);
      at = length.end;
      end = at + length.value;
    } else throw new Error('The model is not in ONNX form');
    if (end > message.length) throw new Error('The model is cut off');
    if (test(Math.floor(tag.value / 8), message.subarray(at, end))) return true;
    at = end;
  }
  return false;
}

function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let place = 0; place < 10; place++) {
    const byte = bytes[start + place];
    if (byte === undefined) throw new Error('The model is cut off');
    value += (byte & 0x7f) * 2 ** (7 * place);
    if (byte < 0x80) return { value, end: start + place + 1 };
  }
  throw new Error('The model is not in ONNX form');
}
