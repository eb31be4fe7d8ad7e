import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeTinyModel } from '../src/providers/embedders/test-support/tiny-model.js';
import { runCommand } from './support/command.js';

let source: string;
let data: string;
let server: Server;
let address: string;
/** What was asked for, with the range. */
let asked: string[];
/** Ends the next response after this many bytes. */
let cutAfter: number | undefined;

beforeAll(async () => {
  source = await writeTinyModel({ 'secret.txt': 'not part of the model' });
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    asked.push([url, headers.range].filter(Boolean).join(' '));
    const path = join(source, url.replace('/files/', ''));
    if (!url.startsWith('/files/') || !existsSync(path)) return response.writeHead(404).end();
    const bytes = readFileSync(path);
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    response.writeHead(start > 0 ? 206 : 200, { 'content-length': bytes.length - start });
    if (cutAfter === undefined) return response.end(bytes.subarray(start));
    const part = bytes.subarray(start, start + cutAfter);
    cutAfter = undefined;
    return response.write(part, () => setTimeout(() => response.destroy(), 50));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`;
});
afterAll(() => {
  server.close();
  rmSync(source, { recursive: true });
});
beforeEach(() => {
  asked = [];
  cutAfter = undefined;
  data = mkdtempSync(join(tmpdir(), 'memhall-models-'));
  return () => rmSync(data, { recursive: true });
});

const model = (...words: string[]) => runCommand(['model', ...words, '--data', data]);
const hashOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(source, file)))
    .digest('hex');
const hashes = () => ['tokenizer.json', 'model.onnx'].flatMap((file) => ['--sha256', `${file}=${hashOf(file)}`]);
const shelved = (name: string) => join(data, 'models', name);

describe('memhall model', () => {
  it('adds a model from a directory, says how to use it, checks, lists and removes it', async () => {
    const added = await model('add', 'tiny', '--from', source);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`MEMHALL_EMBEDDER=onnx:${shelved('tiny')}`),
    });
    expect(added.stdout).toContain(`${hashOf('model.onnx')}  model.onnx`);
    expect(existsSync(join(shelved('tiny'), 'secret.txt'))).toBe(false);
    expect((await model('list')).stdout).toMatch(
      /^NAME {7}ADDED {2}ABOUT\ntiny {7}yes {4}MEMHALL_EMBEDDER=onnx:.*\nbge-small {2}no .*; MIT\n {2}https:.*\ngte-small .*\n.*\ne5-small .*\n.*\narctic-xs /,
    );
    expect(await model('check', 'tiny')).toMatchObject({ code: 0, stdout: expect.stringContaining('vectors of 3') });
    const checked = await model('check', 'tiny', '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject({ name: 'tiny', directory: shelved('tiny'), dimension: 3 });
    expect(await model('add', 'tiny', '--from', source)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--replace'),
    });
    expect(await model('add', 'tiny', '--from', source, '--replace')).toMatchObject({ code: 0 });
    writeFileSync(join(shelved('tiny'), 'tokenizer.json'), '{}');
    expect(await model('check', 'tiny')).toMatchObject({ code: 1, stderr: expect.stringContaining('changed') });
    expect(await model('remove', 'tiny')).toMatchObject({ code: 0 });
    expect(existsSync(shelved('tiny'))).toBe(false);
    expect(await model('remove', 'tiny')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('memhall model list'),
    });
  });

  it('writes the configuration that a known model lacks, and keeps what it has', async () => {
    expect(await model('add', 'e5-small', '--from', source)).toMatchObject({ code: 0 });
    const read = (file: string) => JSON.parse(readFileSync(join(shelved('e5-small'), file), 'utf8'));
    expect(read('config_sentence_transformers.json').prompts).toEqual({ query: 'query: ', passage: 'passage: ' });
    expect(read('1_Pooling/config.json')).toMatchObject({ pooling_mode_mean_tokens: true });
    const own = mkdtempSync(join(tmpdir(), 'memhall-own-'));
    cpSync(source, own, { recursive: true });
    mkdirSync(join(own, '1_Pooling'));
    writeFileSync(join(own, '1_Pooling', 'config.json'), '{"pooling_mode_cls_token": true}');
    expect(await model('add', 'e5-small', '--from', own, '--replace')).toMatchObject({ code: 0 });
    expect(read('1_Pooling/config.json')).toEqual({ pooling_mode_cls_token: true });
    rmSync(own, { recursive: true });
  });

  it('downloads exactly the files whose hashes are given', async () => {
    expect(await model('add', 'tiny', '--from', address, ...hashes())).toMatchObject({ code: 0 });
    expect(asked).toEqual(['/files/tokenizer.json', '/files/model.onnx']);
    expect(await model('check', 'tiny')).toMatchObject({ code: 0 });
  });

  it('continues a download that broke off', async () => {
    cutAfter = 100;
    const broken = await model('add', 'tiny', '--from', address, ...hashes());
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('Run the command again to continue') });
    expect(existsSync(shelved('tiny'))).toBe(false);
    expect((await model('list')).stdout).not.toContain('tiny');
    expect(await model('add', 'tiny', '--from', address, ...hashes())).toMatchObject({ code: 0 });
    expect(asked).toEqual(['/files/tokenizer.json', '/files/tokenizer.json bytes=100-', '/files/model.onnx']);
  });

  it('keeps no file that is not the expected one', async () => {
    const wrong = ['--sha256', `tokenizer.json=${'0'.repeat(64)}`, '--sha256', `model.onnx=${hashOf('model.onnx')}`];
    const refused = await model('add', 'tiny', '--from', address, ...wrong);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has the SHA-256') });
    expect(await model('add', 'tiny', '--from', address, ...hashes())).toMatchObject({ code: 0 });
    expect(asked.filter((one) => one.includes('bytes='))).toEqual([]);
    const copied = await model('add', 'copied', '--from', source, ...wrong);
    expect(copied).toMatchObject({ code: 1, stderr: expect.stringContaining(hashOf('tokenizer.json')) });
    expect(existsSync(shelved('copied'))).toBe(false);
  });

  it('tries a model before it appears under its name', async () => {
    const broken = await writeTinyModel({ 'model.onnx': Buffer.from('no model') });
    const refused = await model('add', 'tiny', '--from', broken);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The model cannot be used') });
    expect(existsSync(shelved('tiny'))).toBe(false);
    rmSync(broken, { recursive: true });
  });

  it('reads and writes nothing outside of the directories of models', async () => {
    const linked = await writeTinyModel();
    symlinkSync('/etc/hostname', join(linked, 'config.json'));
    expect((await model('add', 'tiny', '--from', linked)).stderr).toContain('is outside of');
    rmSync(linked, { recursive: true });
    for (const name of ['..', '../x', 'a/b', '.hidden', 'UPPER', '']) {
      expect(await model('add', name, '--from', source)).toMatchObject({ code: 1 });
      expect(await model('remove', name)).toMatchObject({ code: 1 });
    }
    const hostile = await model('add', 'tiny', '--from', address, '--sha256', `../../x=${'0'.repeat(64)}`);
    expect(hostile.stderr).toContain('is not a file that is read');
    expect(asked).toEqual([]);
  });

  it.each([
    ['a known model without hashes', ['bge-small'], 'is not known here'],
    ['an unknown model without a place', ['mine'], 'say where it is with --from'],
    ['plain HTTP from elsewhere', ['mine', '--from', 'http://models.example.com/'], 'must be an https address'],
    ['a password in the address', ['mine', '--from', 'https://me:secret@example.com/'], 'must be an https address'],
    ['something that is no hash', ['mine', '--from', '.', '--sha256', 'model.onnx=abc'], '64 hexadecimal digits'],
    ['a directory that is not there', ['mine', '--from', '/no/such/place'], 'The model cannot be used'],
  ])('refuses %s', async (_, words, message) => {
    const refused = await model('add', ...words);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(refused.stderr).not.toContain('me:secret');
  });

  it('says which address does not have the files', async () => {
    const missing = await model('add', 'mine', '--from', address.replace('files', 'none'), ...hashes());
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('status 404') });
  });
});
