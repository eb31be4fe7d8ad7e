import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import { EmbedderError } from '../../ports/embedder-error.js';
import { GRAPHS, readModelFile } from '../embedders/model-directory.js';
import { openOnnxEmbedder } from '../embedders/onnx-embedder.js';
import { downloadFile, sha256Of } from './download-file.js';
import { type KnownModel, knownModels, modelFiles, requiredFile } from './known-models.js';

interface ShelvedModel {
  name: string;
  directory: string;
  /** Where its files are from. */
  source: string;
  /** SHA-256 of each file that was copied or downloaded. */
  files: Readonly<Record<string, string>>;
}

interface AddedModel extends ShelvedModel {
  dimension: number;
}

interface Addition {
  name: string;
  /** URL or directory. Default: that of the known model. */
  from: string | undefined;
  /** By name of the file. */
  hashes: ReadonlyMap<string, string>;
  replace: boolean;
  onProgress(file: string, doneBytes: number, totalBytes: number | undefined): void;
}

/** Written into the directory of a model, last. */
const manifestName = 'memhall-model.json';
const nameForm = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The models that `memhall model` keeps, each in a directory of its own. */
export class ModelShelf {
  readonly #root: string;

  constructor(dataDirectory: string) {
    this.#root = resolve(dataDirectory, 'models');
  }

  async list(): Promise<ShelvedModel[]> {
    const entries = await readdir(this.#root, { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isDirectory() && nameForm.test(entry.name)).map(({ name }) => name);
    const found = await Promise.all(names.sort().map((name) => this.#read(name)));
    return found.filter((one) => one !== undefined);
  }

  /** Appears whole or not at all. What an interrupted call downloaded is used by the next. */
  async add({ name, from, hashes, replace, onProgress }: Addition): Promise<AddedModel> {
    const directory = this.#directoryOf(name);
    const known = knownModels.find((one) => one.name === name);
    const source = from ?? known?.source;
    if (source === undefined) throw new StartUpError(`${name} is not a known model: say where it is with --from.`);
    for (const file of hashes.keys()) checkFile(file);
    if (!replace && (await exists(directory)))
      throw new StartUpError(`${directory} is there already: give --replace to replace it.`);
    const partial = join(this.#root, `.${name}.partial`);
    const url = toUrl(source);
    const files = url === undefined ? await copyAll(source, partial, hashes) : await downloadAll();
    await keepOnly(Object.keys(files), partial);
    await writeMissing(known, partial);
    const dimension = await tryOut(partial);
    const manifest = { name, source: url?.href ?? resolve(source), files };
    await writeFile(join(partial, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    await rm(directory, { recursive: true, force: true });
    await rename(partial, directory);
    return { ...manifest, directory, dimension };

    async function downloadAll(): Promise<Record<string, string>> {
      checkHashes(name, source as string, hashes);
      for (const [file, sha256] of hashes) {
        const report = (done: number, total: number | undefined) => onProgress(file, done, total);
        await downloadFile({ url: new URL(file, url), path: join(partial, file), sha256, onProgress: report });
      }
      return Object.fromEntries(hashes);
    }
  }

  /** Throws StartUpError if a file changed since it was added, or the model cannot be run. */
  async check(name: string): Promise<AddedModel> {
    const model = await this.#get(name);
    for (const [file, sha256] of Object.entries(model.files)) {
      const actual = await sha256Of(join(model.directory, file)).catch(() => 'nothing: it is missing');
      if (actual !== sha256) throw new StartUpError(`${file} of ${name} changed: expected ${sha256}, found ${actual}.`);
    }
    return { ...model, dimension: await tryOut(model.directory) };
  }

  async remove(name: string): Promise<ShelvedModel> {
    const model = await this.#get(name);
    await rm(model.directory, { recursive: true });
    return model;
  }

  async #get(name: string): Promise<ShelvedModel> {
    const model = (await exists(this.#directoryOf(name))) ? await this.#read(name) : undefined;
    if (model === undefined) throw new StartUpError(`No model ${name} was added: see \`memhall model list\`.`);
    return model;
  }

  async #read(name: string): Promise<ShelvedModel | undefined> {
    const directory = this.#directoryOf(name);
    const text = await readFile(join(directory, manifestName), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const { source, files } = parseManifest(name, text);
    const own = Object.entries(files).filter(([file]) => modelFiles.includes(file));
    return { name, directory, source, files: Object.fromEntries(own) };
  }

  #directoryOf(name: string): string {
    if (!nameForm.test(name))
      throw new StartUpError(
        `"${name}" is not a name: use at most 64 lowercase letters, digits, dots, hyphens and underscores.`,
      );
    return join(this.#root, name);
  }
}

function parseManifest(name: string, text: string): Pick<ShelvedModel, 'source' | 'files'> {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartUpError(`${manifestName} of ${name} is not JSON: remove the directory, and add the model again.`);
  }
}

function checkFile(file: string): void {
  if (modelFiles.includes(file)) return;
  throw new StartUpError(`"${file}" is not a file that is read: expected one of ${modelFiles.join(', ')}.`);
}

function checkHashes(name: string, source: string, hashes: ReadonlyMap<string, string>): void {
  if (hashes.has(requiredFile) && GRAPHS.some((graph) => hashes.has(graph))) return;
  throw new StartUpError(
    `Downloads are checked, and the SHA-256 of the files of ${name} is not known here. Look it up where you trust it, and give it for tokenizer.json and one of ${GRAPHS.join(', ')}: --sha256 tokenizer.json=<hex> --sha256 ${GRAPHS[0]}=<hex>. The files are at ${source}`,
  );
}

/** Returns undefined for a directory. Plain HTTP is allowed on this machine only. */
function toUrl(source: string): URL | undefined {
  if (!/^[a-z]+:\/\//i.test(source)) return undefined;
  const url = URL.canParse(source) ? new URL(source) : undefined;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url === undefined || (url.protocol !== 'https:' && !isLocal) || url.username !== '' || url.password !== '')
    throw new StartUpError(`--from must be an https address without a user name, or a directory.`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  url.search = '';
  url.hash = '';
  return url;
}

async function copyAll(
  source: string,
  partial: string,
  hashes: ReadonlyMap<string, string>,
): Promise<Record<string, string>> {
  const directory = resolve(source);
  const files: Record<string, string> = {};
  for (const file of modelFiles) {
    const bytes = await readModelFile(directory, file).catch(asStartUpError);
    if (bytes === undefined) continue;
    const path = join(partial, file);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o600 });
    files[file] = await sha256Of(path);
  }
  for (const [file, sha256] of hashes) {
    if (files[file] === sha256) continue;
    throw new StartUpError(`${join(directory, file)} has the SHA-256 ${files[file] ?? 'of no file'}, not ${sha256}.`);
  }
  return files;
}

/** An attempt with other files may have left some, which nobody checked. */
async function keepOnly(files: readonly string[], directory: string): Promise<void> {
  for (const file of modelFiles) if (!files.includes(file)) await rm(join(directory, file), { force: true });
}

async function writeMissing(known: KnownModel | undefined, directory: string): Promise<void> {
  for (const [file, content] of Object.entries(known?.settings ?? {})) {
    const path = join(directory, file);
    if (await exists(path)) continue;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  }
}

/** Runs the model once. Returns the length of its vectors. */
async function tryOut(directory: string): Promise<number> {
  const embedder = await openOnnxEmbedder(directory).catch(asStartUpError);
  const { dimension } = embedder;
  await embedder.close();
  return dimension;
}

function asStartUpError(error: unknown): never {
  if (!(error instanceof EmbedderError)) throw error;
  throw new StartUpError(`The model cannot be used: ${error.message}.`, { cause: error });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
