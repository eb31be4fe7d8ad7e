import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readManifest, writeManifest } from './manifest.mjs';

const runtime = dirname(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')));

/** What runs on processors. The others are for graphics cards, and a second copy of the same library. */
const libraries = /^(onnxruntime_binding\.node|libonnxruntime\.so\.1|libonnxruntime\.1\.dylib|onnxruntime\.dll)$/;

const license = `MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/**
 * Adds the native runtime of one platform to a staged package, runs the work, and removes it again.
 * @template T
 * @param {string} directory
 * @param {{ os: string, cpu: string }} platform
 * @param {() => T} work
 * @returns {T}
 */
export function withNativeRuntime(directory, { os, cpu }, work) {
  const manifest = readManifest(directory);
  const to = join(directory, 'onnxruntime');
  try {
    const binaries = join('bin', 'napi-v6', os, cpu);
    mkdirSync(join(to, binaries), { recursive: true });
    for (const file of readdirSync(join(runtime, binaries)).filter((name) => libraries.test(name))) {
      cpSync(join(runtime, binaries, file), join(to, binaries, file));
    }
    copyScripts(join(runtime, 'dist'), join(to, 'dist'));
    writeFileSync(join(to, 'LICENSE'), license);
    const { name, version, dependencies } = readManifest(runtime);
    writeManifest(to, { name, version, license: 'MIT', type: 'commonjs', private: true });
    writeManifest(directory, {
      ...manifest,
      os: [os],
      cpu: [cpu],
      ...(os === 'linux' && { libc: ['glibc'] }),
      imports: { '#onnxruntime': './onnxruntime/dist/index.js' },
      dependencies: { ...manifest.dependencies, 'onnxruntime-common': dependencies['onnxruntime-common'] },
      peerDependencies: without(manifest.peerDependencies, 'onnxruntime-node'),
      peerDependenciesMeta: without(manifest.peerDependenciesMeta, 'onnxruntime-node'),
    });
    return work();
  } finally {
    rmSync(to, { recursive: true, force: true });
    writeManifest(directory, manifest);
  }
}

/** @param {string} from @param {string} to */
function copyScripts(from, to) {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith('.js'))) {
    const code = readFileSync(join(from, file), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    writeFileSync(join(to, file), code);
  }
}

/** @param {Record<string, unknown>} members @param {string} name */
function without({ ...members }, name) {
  delete members[name];
  return members;
}
