import { type ModelFiles, readMaxTokens, readModelFiles } from './model-directory.js';

export interface DirectoryReranker extends ModelFiles {
  maxTokens: number;
}

/** Throws `misconfigured`, with what is missing or not supported. */
export async function readDirectoryReranker(path: string): Promise<DirectoryReranker> {
  const files = await readModelFiles(path);
  return { directory: files.directory, graph: files.graph, maxTokens: await readMaxTokens(files.directory) };
}
