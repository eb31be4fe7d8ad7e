#!/usr/bin/env node
// Writes trained weights as the 8-bit ONNX model that the server runs: node export.mjs trained.safetensors ../model.onnx
import { readFileSync, writeFileSync } from 'node:fs';
import { buildMinilmGraph } from '../../../packages/server/dist/providers/embedders/minilm-graph.js';
import { Safetensors } from '../../../packages/server/dist/providers/embedders/safetensors.js';

const [, , source, target] = process.argv;
if (source === undefined || target === undefined) throw new Error('Pass the trained weights and the file to write.');
writeFileSync(target, buildMinilmGraph(new Safetensors(readFileSync(source))));
