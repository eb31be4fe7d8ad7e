import { MICROSOFT_DOMAIN, OnnxGraphBuilder } from './onnx-graph-builder.js';
import { quantizeBlocks, quantizeWeights } from './quantize-weights.js';
import type { Safetensors } from './safetensors.js';

const HIDDEN = 384;
const INTERMEDIATE = 1536;
const HEADS = 12;
const LAYERS = 6;
const POSITIONS = 512;
const VOCABULARY = 30522;
const LAYER_NORM_EPSILON = 1e-12;
const PROJECTION_BLOCK = 32;
/** `accuracy_level` of MatMulNBits. */
const COMPUTE_IN_INT8 = 4;
const ONNX_FLOAT = 1;
/** GELU never falls below -0.17, so adding this makes its output non-negative and all 8 bits usable. */
const GELU_SHIFT = 0.17;

/**
 * Builds the encoder of all-MiniLM-L6-v2 with mean pooling and L2 normalisation, as an ONNX model with 8-bit matrix
 * products.
 *
 * Activations are quantised per token, not per tensor, so that a text's vector does not depend on its batch (per
 * tensor, cosines down to 0.958 were seen).
 *
 * Inputs: `input_ids` int64 and `attention_mask` int32, both [batch, sequence]. Output: `embedding` float32 [batch,
 * 384].
 */
export function buildMinilmGraph(weights: Safetensors): Uint8Array {
  const graph = new OnnxGraphBuilder();
  const ids = graph.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = graph.input('attention_mask', 'int32', ['batch', 'sequence']);
  let hidden = embedTokens(graph, weights, ids);
  for (let layer = 0; layer < LAYERS; layer++) hidden = encodeLayer(graph, weights, layer, hidden, mask);
  graph.output('embedding', poolAndNormalize(graph, hidden, mask), 'float32', ['batch', HIDDEN]);
  return graph.toBytes();
}

function embedTokens(graph: OnnxGraphBuilder, weights: Safetensors, ids: string): string {
  const words = lookUpWords(graph, weights.float('embeddings.word_embeddings.weight'), ids);
  const tokenTypes = weights.float('embeddings.token_type_embeddings.weight');
  const positionTable = weights
    .float('embeddings.position_embeddings.weight')
    .map((value, i) => value + (tokenTypes[i % HIDDEN] as number));
  const length = graph.node('Shape', [ids], { attributes: { start: { int: 1 }, end: { int: 2 } } });
  const zero = integers(graph, 0);
  const positions = graph.node('Slice', [floats(graph, [POSITIONS, HIDDEN], positionTable), zero, length, zero]);
  return graph.node(
    'LayerNormalization',
    [graph.node('Add', [words, positions]), ...layerNorm(graph, weights, 'embeddings.LayerNorm')],
    { attributes: { axis: { int: -1 }, epsilon: { float: LAYER_NORM_EPSILON } } },
  );
}

/** One scale per word. A table in half precision would be half of the model's size. */
function lookUpWords(graph: OnnxGraphBuilder, table: Float32Array, ids: string): string {
  const { values, scales } = quantizeBlocks(table, HIDDEN);
  const rows = graph.node('Gather', [graph.constant('uint8', [VOCABULARY, HIDDEN], values), ids]);
  const numbers = graph.node('Cast', [rows], { attributes: { to: { int: ONNX_FLOAT } } });
  const signed = graph.node('Sub', [numbers, floats(graph, [], Float32Array.of(128))]);
  return graph.node('Mul', [signed, graph.node('Gather', [floats(graph, [VOCABULARY, 1], scales), ids])]);
}

function encodeLayer(graph: OnnxGraphBuilder, weights: Safetensors, layer: number, input: string, mask: string) {
  const prefix = `encoder.layer.${layer}`;
  const projections = ['query', 'key', 'value'].map((name) => `${prefix}.attention.self.${name}`);
  const projectionWeights = concatenate(projections.map((name) => weights.float(`${name}.weight`)));
  const projectionBias = concatenate(projections.map((name) => weights.float(`${name}.bias`)));
  const projected = linearByBlocks(graph, input, projectionWeights, 3 * HIDDEN, HIDDEN);
  const parts = graph.nodeWithThreeOutputs('Split', [projected, integers(graph, HIDDEN, HIDDEN, HIDDEN)], {
    attributes: { axis: { int: -1 } },
  });
  const context = graph.node('MultiHeadAttention', [...parts, floats(graph, [3 * HIDDEN], projectionBias), mask], {
    domain: MICROSOFT_DOMAIN,
    attributes: { num_heads: { int: HEADS } },
  });

  const attentionOutput = `${prefix}.attention.output`;
  const attended = linear(graph, context, weights.float(`${attentionOutput}.dense.weight`), HIDDEN, HIDDEN);
  const attentionBias = weights.float(`${attentionOutput}.dense.bias`);
  const middle = addAndNormalize(graph, weights, `${attentionOutput}.LayerNorm`, attended, input, attentionBias);

  const expandedWeights = weights.float(`${prefix}.intermediate.dense.weight`);
  const expandedBias = weights.float(`${prefix}.intermediate.dense.bias`);
  const expanded = graph.node(
    'BiasGelu',
    [linear(graph, middle, expandedWeights, INTERMEDIATE, HIDDEN), floats(graph, [INTERMEDIATE], expandedBias)],
    { domain: MICROSOFT_DOMAIN },
  );
  const { product, correction } = linearAfterGelu(graph, expanded, weights.float(`${prefix}.output.dense.weight`));
  const outputBias = weights.float(`${prefix}.output.dense.bias`).map((bias, i) => bias + (correction[i] as number));
  return addAndNormalize(graph, weights, `${prefix}.output.LayerNorm`, product, middle, outputBias);
}

function poolAndNormalize(graph: OnnxGraphBuilder, hidden: string, mask: string): string {
  const present = graph.node('Cast', [mask], { attributes: { to: { int: ONNX_FLOAT } } });
  const factors = graph.node('Unsqueeze', [present, integers(graph, -1)]);
  const sequenceAxis = integers(graph, 1);
  const withoutAxis = { attributes: { keepdims: { int: 0 } } };
  const sum = graph.node('ReduceSum', [graph.node('Mul', [hidden, factors]), sequenceAxis], withoutAxis);
  const count = graph.node('ReduceSum', [factors, sequenceAxis], withoutAxis);
  return graph.node('LpNormalization', [graph.node('Div', [sum, count])], {
    attributes: { axis: { int: -1 }, p: { int: 2 } },
  });
}

/**
 * For the attention's projections, whose inputs have a few channels far above the rest: a scale per 32 inputs keeps
 * them from drowning out the others. Makes the whole model a fifth slower, and halves the error.
 */
function linearByBlocks(
  graph: OnnxGraphBuilder,
  input: string,
  weights: Float32Array,
  outputs: number,
  inputs: number,
) {
  const { values, scales } = quantizeBlocks(weights, PROJECTION_BLOCK);
  const blocks = inputs / PROJECTION_BLOCK;
  const matrix = graph.constant('uint8', [outputs, blocks, PROJECTION_BLOCK], values);
  return graph.node('MatMulNBits', [input, matrix, floats(graph, [outputs * blocks], scales)], {
    domain: MICROSOFT_DOMAIN,
    attributes: {
      K: { int: inputs },
      N: { int: outputs },
      bits: { int: 8 },
      block_size: { int: PROJECTION_BLOCK },
      accuracy_level: { int: COMPUTE_IN_INT8 },
    },
  });
}

/** Computes `input × weightsᵀ` without bias. Each token's row is scaled by its own largest magnitude to [-1, 1]. */
function linear(graph: OnnxGraphBuilder, input: string, weights: Float32Array, outputs: number, inputs: number) {
  const largest = largestOfRow(graph, graph.node('Abs', [input]));
  const { values, scales } = quantizeWeights(weights, outputs, inputs);
  const quantized = quantizeRows(graph, input, largest, 127, 128);
  return multiply(graph, quantized, largest, 127, 128, graph.constant('int8', [inputs, outputs], values), scales);
}

function linearAfterGelu(graph: OnnxGraphBuilder, input: string, weights: Float32Array) {
  const shifted = graph.node('Add', [input, floats(graph, [], Float32Array.of(GELU_SHIFT))]);
  const largest = largestOfRow(graph, shifted);
  const { values, scales, sums } = quantizeWeights(weights, HIDDEN, INTERMEDIATE);
  const quantized = quantizeRows(graph, shifted, largest, 255, 0);
  const matrix = graph.constant('int8', [INTERMEDIATE, HIDDEN], values);
  const product = multiply(graph, quantized, largest, 255, 0, matrix, scales);
  return { product, correction: sums.map((sum) => -GELU_SHIFT * sum) };
}

function largestOfRow(graph: OnnxGraphBuilder, values: string): string {
  return graph.node('ReduceMax', [values], { attributes: { axes: { ints: [-1] }, keepdims: { int: 1 } } });
}

function quantizeRows(graph: OnnxGraphBuilder, input: string, largest: string, steps: number, zeroPoint: number) {
  const step = floats(graph, [], Float32Array.of(1 / steps));
  return graph.node('QuantizeLinear', [graph.node('Div', [input, largest]), step, byte(graph, zeroPoint)]);
}

function multiply(
  graph: OnnxGraphBuilder,
  quantized: string,
  largest: string,
  steps: number,
  zeroPoint: number,
  matrix: string,
  scales: Float32Array,
): string {
  const inputScale = floats(graph, [], Float32Array.of(1 / steps));
  const product = graph.node(
    'MatMulIntegerToFloat',
    [quantized, matrix, inputScale, floats(graph, [scales.length], scales), byte(graph, zeroPoint)],
    { domain: MICROSOFT_DOMAIN },
  );
  return graph.node('Mul', [product, largest]);
}

function addAndNormalize(
  graph: OnnxGraphBuilder,
  weights: Safetensors,
  name: string,
  input: string,
  residual: string,
  bias: Float32Array,
): string {
  return graph.node(
    'SkipLayerNormalization',
    [input, residual, ...layerNorm(graph, weights, name), floats(graph, [HIDDEN], bias)],
    { domain: MICROSOFT_DOMAIN, attributes: { epsilon: { float: LAYER_NORM_EPSILON } } },
  );
}

function layerNorm(graph: OnnxGraphBuilder, weights: Safetensors, name: string): [string, string] {
  return [
    floats(graph, [HIDDEN], weights.float(`${name}.weight`)),
    floats(graph, [HIDDEN], weights.float(`${name}.bias`)),
  ];
}

function floats(graph: OnnxGraphBuilder, shape: readonly number[], data: Float32Array): string {
  return graph.constant('float32', shape, data);
}

function integers(graph: OnnxGraphBuilder, ...values: number[]): string {
  return graph.constant('int64', [values.length], BigInt64Array.from(values, BigInt));
}

function byte(graph: OnnxGraphBuilder, value: number): string {
  return graph.constant('uint8', [], Uint8Array.of(value));
}

function concatenate(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
