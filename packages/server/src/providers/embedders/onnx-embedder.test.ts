import { cp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { EmbedOptions } from '../../ports/embedder.js';
import { embedderContract } from './embedder-contract.js';
import { openOnnxEmbedder } from './onnx-embedder.js';
import { ProtobufWriter } from './protobuf-writer.js';
import { cosine } from './test-support/cosine.js';
import { writeTinyModel } from './test-support/tiny-model.js';

const OUR_MODEL = fileURLToPath(new URL('../../../../../models/minilm', import.meta.url));
const CLS = { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false } };
const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function tiny(files: Record<string, unknown> = {}): Promise<string> {
  const directory = await writeTinyModel(files);
  directories.push(directory);
  return directory;
}

async function embed(directory: string, text: string, options?: EmbedOptions): Promise<number[]> {
  const embedder = await openOnnxEmbedder(directory);
  const [vector] = await embedder.embed([text], options);
  await embedder.close();
  return [...(vector as Float32Array)].map((value) => Math.round(1000 * value) / 1000);
}

describe('a model in a directory', () => {
  it('is the mean of its tokens, scaled to unit length, unless its configuration says otherwise', async () => {
    expect(await embed(await tiny(), 'tea milk')).toEqual([0.408, 0.408, 0.816]);
    expect(await embed(await tiny(CLS), 'tea milk')).toEqual([0, 0, 1]);
  });

  it('takes the folder of the pooling from the modules', async () => {
    const modules = [
      { type: 'sentence_transformers.models.Transformer', path: '' },
      { type: 'sentence_transformers.models.Pooling', path: 'pool' },
      { type: 'sentence_transformers.models.Normalize', path: '2_Normalize' },
    ];
    const files = { 'modules.json': modules, 'pool/config.json': CLS['1_Pooling/config.json'] };
    expect(await embed(await tiny(files), 'tea')).toEqual([0, 0, 1]);
  });

  it('gets the prefixes of its prompts, for queries and passages', async () => {
    const directory = await tiny({
      'config_sentence_transformers.json': { prompts: { query: 'query: ', passage: '' } },
    });
    expect(await embed(directory, 'tea', { purpose: 'passage' })).toEqual([0.447, 0, 0.894]);
    expect(await embed(directory, 'tea', { purpose: 'query' })).toEqual([0.302, -0.302, 0.905]);
  });

  it('reads no further than its shortest limit, and keeps the last special token', async () => {
    const directory = await tiny({
      'sentence_bert_config.json': { max_seq_length: 3 },
      'tokenizer_config.json': { model_max_length: 1e30 },
      'config.json': { max_position_embeddings: 512 },
    });
    expect(await embed(directory, 'tea milk milk milk')).toEqual(await embed(directory, 'tea'));
  });

  it('has a name that changes with what its vectors depend on, and only then', async () => {
    const directory = await tiny();
    const names = [];
    for (let time = 0; time < 2; time++) {
      const embedder = await openOnnxEmbedder(directory);
      names.push(embedder.model);
      expect(embedder.describe()).toMatchObject({ kind: 'onnx', model: embedder.model, dimension: 3 });
      await embedder.close();
      await writeFile(join(directory, 'README.md'), 'no part of the model');
    }
    expect(names[1]).toBe(names[0]);
    await writeFile(join(directory, 'sentence_bert_config.json'), '{"max_seq_length": 8}');
    const changed = await openOnnxEmbedder(directory);
    await changed.close();
    expect(changed.model).not.toBe(names[0]);
  });

  it.each([
    ['no model', { 'model.onnx': undefined }, 'has no model: expected one of onnx/model_quantized.onnx'],
    ['no tokenizer', { 'tokenizer.json': undefined }, 'has no tokenizer.json'],
    ['settings that are not JSON', { 'config.json': Buffer.from('{') }, 'config.json is not JSON'],
    ['another module', { 'modules.json': [{ type: 'x.models.Dense', path: '2' }] }, 'of type Dense are not supported'],
    [
      'another pooling',
      { '1_Pooling/config.json': { pooling_mode_max_tokens: true } },
      'pools by pooling_mode_max_tokens',
    ],
    ['weights in other files', { 'model.onnx': withExternalData() }, 'keeps weights in other files'],
  ])('is refused with %s', async (_, files, message) => {
    const opening = openOnnxEmbedder(await tiny(files));
    await expect(opening).rejects.toMatchObject({ code: 'misconfigured', message: expect.stringContaining(message) });
  });

  it('is refused if it is no ONNX model, or not there', async () => {
    const broken = await tiny({ 'model.onnx': Buffer.from('not a model') });
    await expect(openOnnxEmbedder(broken)).rejects.toMatchObject({ name: 'EmbedderError' });
    await expect(openOnnxEmbedder('/no/such/model')).rejects.toMatchObject({ code: 'misconfigured' });
  });

  it('never reads a file outside of its directory', async () => {
    const outside = join(tmpdir(), `memhall-outside-${process.pid}.json`);
    directories.push(outside);
    await writeFile(outside, '{}');
    const linked = await tiny();
    await symlink(outside, join(linked, 'config.json'));
    await expect(openOnnxEmbedder(linked)).rejects.toThrow('config.json is outside of');
    const above = await tiny({ 'config.json': { pooling_mode_cls_token: true } });
    const climbing = join(above, 'model');
    await cp(await tiny({ 'modules.json': [{ type: 'x.Pooling', path: '..' }] }), climbing, { recursive: true });
    await expect(openOnnxEmbedder(climbing)).rejects.toThrow('../config.json is outside of');
  });
});

embedderContract('our own model', () => openOnnxEmbedder(OUR_MODEL));

describe('our own model', () => {
  it('rates related texts closer than unrelated ones', async () => {
    const embedder = await openOnnxEmbedder(OUR_MODEL);
    const [query, near, far] = await embedder.embed([
      'Which instrument does Grace play?',
      'Grace: My fingers hurt, but I can do a whole song on the cello now.',
      'Grace: Thanks, that means a lot to me!',
    ]);
    await embedder.close();
    const [right, wrong] = [near, far].map((vector) => cosine(query as Float32Array, vector as Float32Array));
    expect(right).toBeGreaterThan((wrong as number) + 0.1);
  });
});

/** A graph whose only initializer is `weights.bin`. */
function withExternalData(): Uint8Array {
  const entry = new ProtobufWriter().text(1, 'location').text(2, '../weights.bin');
  const tensor = new ProtobufWriter().varint(1, 1).varint(2, 1).text(8, 'w').message(13, entry).varint(14, 1);
  return new ProtobufWriter().varint(1, 8).message(7, new ProtobufWriter().message(5, tensor)).toBytes();
}
