import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OnnxGraphBuilder } from '../onnx-graph-builder.js';

/** The token `tea` has the vector (1, 0, 0), and so on; `[CLS]` and `[SEP]` have (0, 0, 1). */
const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'tea', 'milk', 'query', ':'];
const VECTORS = [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1];
const DIMENSION = 3;

/** Returns a directory with a model that looks each token up in a table, with further files or changes. */
export async function writeTinyModel(files: Record<string, unknown> = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'memhall-onnx-'));
  const all = { 'model.onnx': tinyGraph(), 'tokenizer.json': tinyTokenizer(), ...files };
  for (const [name, content] of Object.entries(all)) {
    if (content === undefined) continue;
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return directory;
}

function tinyGraph(): Uint8Array {
  const graph = new OnnxGraphBuilder();
  const ids = graph.input('input_ids', 'int64', ['batch', 'sequence']);
  graph.input('attention_mask', 'int64', ['batch', 'sequence']);
  graph.input('token_type_ids', 'int64', ['batch', 'sequence']);
  const table = graph.constant('float32', [VOCABULARY.length, DIMENSION], Float32Array.from(VECTORS));
  graph.output('last_hidden_state', graph.node('Gather', [table, ids]), 'float32', ['batch', 'sequence', DIMENSION]);
  return graph.toBytes();
}

/** A graph that no runtime can run. It declares vectors of three numbers. */
export function unknownOperator(): Uint8Array {
  const graph = new OnnxGraphBuilder();
  const ids = graph.input('input_ids', 'int64', ['batch', 'sequence']);
  graph.output('last_hidden_state', graph.node('NoSuchOperator', [ids]), 'float32', ['batch', 'sequence', DIMENSION]);
  return graph.toBytes();
}

/** A cross-encoder: 5 for each `milk` and 1 for each `tea` in the passage, whatever the query is. */
export function tinyRanker(): Uint8Array {
  const graph = new OnnxGraphBuilder();
  const ids = graph.input('input_ids', 'int64', ['batch', 'sequence']);
  graph.input('attention_mask', 'int64', ['batch', 'sequence']);
  const types = graph.input('token_type_ids', 'int64', ['batch', 'sequence']);
  const weights = Float32Array.from(VOCABULARY, (token) => ({ tea: 1, milk: 5 })[token] ?? 0);
  const weight = graph.node('Gather', [graph.constant('float32', [VOCABULARY.length], weights), ids]);
  const isPassage = graph.node('Cast', [types], { attributes: { to: { int: 1 } } });
  const axes = graph.constant('int64', [1], BigInt64Array.of(1n));
  const sum = graph.node('ReduceSum', [graph.node('Mul', [weight, isPassage]), axes]);
  graph.output('logits', sum, 'float32', ['batch', 1]);
  return graph.toBytes();
}

function tinyTokenizer() {
  const special = (token: string) => ({ id: VOCABULARY.indexOf(token), content: token, special: true });
  return {
    added_tokens: VOCABULARY.slice(0, 4).map(special),
    normalizer: null,
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  };
}
