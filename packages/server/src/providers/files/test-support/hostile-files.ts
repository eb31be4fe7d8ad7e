import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { pdfOf } from './sample-files.js';

const megabyte = 1024 * 1024;

/**
 * Returns a compressed stream of so many megabytes of one repeated text, without ever having them in memory: blocks that end with a
 * full flush do not depend on each other.
 */
function deflatedMegabytes(count: number, text: string): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte, text), { finishFlush: constants.Z_FULL_FLUSH });
  const start = Buffer.from('789c', 'hex');
  const end = Buffer.from('0300', 'hex');
  return Buffer.concat([start, ...Array.from({ length: count }, () => block), end]);
}

/** A PDF of a few kilobytes whose page has so many megabytes when it is unpacked twice. */
export function nestedPdfBomb(megabytes: number): Buffer {
  return pdfOf(['x'], {
    stream: deflateSync(deflatedMegabytes(megabytes, '(walrus) Tj ')),
    filters: ['FlateDecode', 'FlateDecode'],
  });
}
