import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { toText } from '../text-lines.js';
import { fileNamespace } from './memory-file-profile.js';
import { type FileRoot, placeOf } from './memory-path.js';
import { maxFiles } from './stored-files.js';

export interface ListedFile {
  /** Below `/memories`. */
  name: string;
  etag: string;
  /** As it is stored; undefined if the reader knows this state. */
  text: string | undefined;
}

const readAtOnce = 50;

/**
 * Returns the files of a root in order, with the texts of those whose state is not among the known ones. For people and programs: what is
 * shown to a model has to be scanned.
 */
export async function listMemoryFiles(
  engine: Engine,
  caller: Caller,
  root: FileRoot,
  knownEtags: ReadonlySet<string>,
): Promise<ListedFile[]> {
  const prefix = placeOf(root, '').path;
  const page = { folder: fileNamespace, after: [fileNamespace, prefix] as const, limit: maxFiles + 1 };
  const listed = await engine.store.read(scopeOf(caller), (tables) => tables.artifacts.list('document', page));
  const own = listed.filter(({ name }) => name.startsWith(prefix));
  const wanted = own.filter(({ etag }) => !knownEtags.has(etag)).map(({ name }) => name);
  const files = new Map(own.map(({ name, etag }) => [name, { etag, text: undefined as string | undefined }]));
  for (let start = 0; start < wanted.length; start += readAtOnce) {
    const names = wanted.slice(start, start + readAtOnce);
    const read = await engine.store.read(scopeOf(caller), (tables) =>
      tables.artifacts.getMany('document', fileNamespace, names),
    );
    for (const { name, etag, body } of read) files.set(name, { etag, text: toText(body.content) });
  }
  // A file that was deleted in between has neither a known state nor a text.
  return [...files].flatMap(([name, { etag, text }]) =>
    text === undefined && !knownEtags.has(etag) ? [] : [{ name: name.slice(prefix.length), etag, text }],
  );
}
