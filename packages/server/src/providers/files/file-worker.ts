import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadFile } from '../../ports/file-reader.js';
import { readBytes } from './read-bytes.js';

export type FileWorkerReply = { type: 'detected'; mediaType: string } | { type: 'read'; file: ReadFile };

const reply = (message: FileWorkerReply) => parentPort?.postMessage(message);

const bytes = await readFile((workerData as { path: string }).path);
const file = await readBytes(bytes, (mediaType) => reply({ type: 'detected', mediaType }));
reply({ type: 'read', file });
