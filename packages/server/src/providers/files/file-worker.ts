import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadFile } from '../../ports/file-reader.js';
import { boundText, readBytes } from './read-bytes.js';

export type FileWorkerReply = { type: 'detected'; mediaType: string } | { type: 'read'; file: ReadFile };

const reply = (message: FileWorkerReply) => parentPort?.postMessage(message);

const { path, textLength } = workerData as { path: string; textLength: number };
const file = await readBytes(await readFile(path), (mediaType) => reply({ type: 'detected', mediaType }));
reply({ type: 'read', file: boundText(file, textLength) });
