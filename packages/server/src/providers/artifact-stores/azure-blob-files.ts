import { buffer as readBuffer } from 'node:stream/consumers';
import type { ContainerClient } from '@azure/storage-blob';
import { Problem, uuidv7 } from '@memhall/core';
import type { StagedFile } from '../../ports/artifact-store.js';
import { isConditionFailure, isMissing, toStoreError } from './azure-blob-faults.js';

const numberLength = 8;

interface AzureBlobFilesOptions {
  container: ContainerClient;
  /** For one call including its retries; for a file, one piece. */
  timeoutMs: number;
}

/**
 * Stores files as block blobs: each piece is a block, and committing the list of blocks creates the blob. Azure removes
 * uncommitted blocks after a week.
 */
export class AzureBlobFiles {
  readonly #container: ContainerClient;
  readonly #timeoutMs: number;

  constructor({ container, timeoutMs }: AzureBlobFilesOptions) {
    this.#container = container;
    this.#timeoutMs = timeoutMs;
  }

  async stage(blobName: string, pieces: AsyncIterable<Buffer>): Promise<StagedFile> {
    const blob = this.#container.getBlockBlobClient(blobName);
    const staging = uuidv7();
    const blocks: string[] = [];
    const discard = () => this.remove(blobName);
    try {
      for await (const piece of pieces) {
        const block = toBlockId(staging, blocks.length);
        await blob.stageBlock(block, piece, piece.length, { abortSignal: this.#deadline() });
        blocks.push(block);
      }
    } catch (error) {
      await discard().catch(() => undefined);
      throw toStoreError(error);
    }
    const keep = async () => {
      try {
        await blob.commitBlockList(blocks, {
          abortSignal: this.#deadline(),
          blobHTTPHeaders: { blobContentType: 'application/octet-stream' },
        });
      } catch (error) {
        throw toStoreError(error);
      }
    };
    return { keep, discard };
  }

  async open(blobName: string, pieceBytes: number): Promise<AsyncIterable<Buffer> | undefined> {
    try {
      const blob = this.#container.getBlobClient(blobName);
      const { contentLength = 0, etag } = await blob.getProperties({ abortSignal: this.#deadline() });
      if (etag === undefined) throw new Error('the response of the service has no tag');
      return this.#read(blobName, { etag, sizeBytes: contentLength, pieceBytes });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw toStoreError(error);
    }
  }

  /** Writes an empty blob first: it replaces blocks that are only staged, which deleting would leave behind. */
  async remove(blobName: string): Promise<void> {
    const blob = this.#container.getBlockBlobClient(blobName);
    try {
      await blob.upload('', 0, { abortSignal: this.#deadline() });
      await blob.delete({ abortSignal: this.#deadline() });
    } catch (error) {
      if (!isMissing(error)) throw toStoreError(error);
    }
  }

  async *#read(
    blobName: string,
    { etag, sizeBytes, pieceBytes }: { etag: string; sizeBytes: number; pieceBytes: number },
  ): AsyncGenerator<Buffer> {
    const blob = this.#container.getBlobClient(blobName);
    for (let at = 0; at < sizeBytes; at += pieceBytes) {
      try {
        const count = Math.min(pieceBytes, sizeBytes - at);
        const options = { abortSignal: this.#deadline(), conditions: { ifMatch: etag } };
        const answer = await blob.download(at, count, options);
        yield await readBuffer(answer.readableStreamBody as NodeJS.ReadableStream);
      } catch (error) {
        if (!isMissing(error) && !isConditionFailure(error)) throw toStoreError(error);
        throw new Problem('CONFLICT', 'The file was removed while it was being read.');
      }
    }
  }

  #deadline(): AbortSignal {
    return AbortSignal.timeout(this.#timeoutMs);
  }
}

/** All block ids of a blob must have the same length. */
function toBlockId(staging: string, number: number): string {
  return Buffer.from(`${staging}/${String(number).padStart(numberLength, '0')}`).toString('base64');
}
