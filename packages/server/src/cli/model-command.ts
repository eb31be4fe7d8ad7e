import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { listKnownModels, openModelShelf } from '../composition/open-model-shelf.js';
import { addConfigOptions, configFrom, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printResult } from './report.js';
import { screenOf, toTable } from './table.js';

interface AddOptions {
  from?: string;
  sha256: string[];
  replace?: boolean;
  json?: true;
}

export function modelCommand(environment: Environment): Command {
  const model = new Command('model').description(
    'Manage embedding models that run in the process, in the directory models of the data directory. Nothing is ever downloaded but by `memhall model add`.',
  );
  for (const make of [addCommand, listCommand, checkCommand, removeCommand]) {
    model.addCommand(addConfigOptions(make(environment), ['dataDirectory']));
  }
  return withExamples(model, 'memhall model list', 'memhall model add my-model --from ~/Downloads/my-model');
}

function addCommand(environment: Environment): Command {
  const known = listKnownModels().map(({ name }) => name);
  const command = new Command('add')
    .description(
      `Add a sentence-embedding model in ONNX form, under a name of your choice or one that is known: ${known.join(', ')}. Copies it from a directory, or downloads exactly the files that are named with --sha256 and refuses any that differ. Known models get the configuration files that they lack. The model is tried before it appears under its name. An interrupted download continues when the command is run again.`,
    )
    .argument('<name>', 'Name of the model and of its directory.')
    .option('--from <url or directory>', 'Where its files are. Known models have an address.')
    .addOption(
      repeatable('--sha256 <file=hex>', 'SHA-256 of a file. Required for each file to download. Can be repeated.'),
    )
    .option('--replace', 'Replace a model of that name.');
  addJsonOption(command);
  withExamples(
    command,
    'memhall model add my-model --from ~/Downloads/my-model',
    'memhall model add bge-small --sha256 tokenizer.json=<hex> --sha256 onnx/model_quantized.onnx=<hex>',
    'memhall model add e5-small --from https://models.example.com/e5/ --sha256 tokenizer.json=<hex> --sha256 model.onnx=<hex>',
  );
  return command.action(async (name: string, options: AddOptions) => {
    const shelf = openModelShelf(configFrom({ ...options }, environment));
    const bars = new Map<string, ProgressBar>();
    const { from, replace = false, sha256 } = options;
    const added = await shelf.add({
      ...{ name, from, replace },
      hashes: parseHashes(sha256),
      onProgress(file, done, total) {
        const bar = bars.get(file) ?? new ProgressBar(`Downloading ${file}`);
        bars.set(file, bar);
        if (total !== undefined) bar.update(done, total);
      },
    });
    for (const bar of bars.values()) bar.finish();
    const hashes = Object.entries(added.files).map(([file, hash]) => `  ${hash}  ${file}`);
    const text = `Added ${name}: vectors of ${added.dimension} numbers. SHA-256 of its files:\n${hashes.join('\n')}\nTo use it, set MEMHALL_EMBEDDER=onnx:${added.directory} and restart. All memories are then embedded again in the background; until one is, recall finds it by its words.`;
    printResult(options.json, added, text);
  });
}

function listCommand(environment: Environment): Command {
  const command = new Command('list')
    .description('List the models that were added, and those that are known.')
    .option('--json', 'Print one JSON object per model.');
  withExamples(command, 'memhall model list', 'memhall model list --json');
  return command.action(async (options: { json?: boolean }) => {
    const added = await openModelShelf(configFrom({ ...options }, environment)).list();
    const others = listKnownModels().filter(({ name }) => !added.some((one) => one.name === name));
    if (options.json) {
      for (const one of added) process.stdout.write(`${JSON.stringify({ ...one, added: true })}\n`);
      for (const one of others) process.stdout.write(`${JSON.stringify({ ...one, added: false })}\n`);
      return;
    }
    const rows = [
      ...added.map(({ name, directory }) => ({ id: name, cells: ['yes', `MEMHALL_EMBEDDER=onnx:${directory}`] })),
      ...others.map(({ name, about, license, source }) => ({
        id: name,
        cells: ['no', `${about}; ${license}`],
        notes: [source],
      })),
    ];
    process.stdout.write(toTable(['ADDED', 'ABOUT'], rows, screenOf(process.stdout, environment), 'NAME'));
  });
}

function checkCommand(environment: Environment): Command {
  const command = new Command('check')
    .description('Check that the files of a model are as they were when it was added, and run it once.')
    .argument('<name>', 'Name of the model.');
  withExamples(addJsonOption(command), 'memhall model check bge-small');
  return command.action(async (name: string, options: { json?: true }) => {
    const model = await openModelShelf(configFrom({ ...options }, environment)).check(name);
    const count = Object.keys(model.files).length;
    const text = `${name} is as it was added: ${count} files, vectors of ${model.dimension} numbers.`;
    printResult(options.json, model, text);
  });
}

function removeCommand(environment: Environment): Command {
  const command = new Command('remove')
    .description('Remove a model that was added, with its files. Set another MEMHALL_EMBEDDER before you restart.')
    .argument('<name>', 'Name of the model.');
  withExamples(addJsonOption(command), 'memhall model remove bge-small');
  return command.action(async (name: string, options: { json?: true }) => {
    const removed = await openModelShelf(configFrom({ ...options }, environment)).remove(name);
    printResult(options.json, removed, `Removed ${removed.directory}.`);
  });
}

function parseHashes(given: readonly string[]): Map<string, string> {
  return new Map(
    given.map((text) => {
      const [, file, hex] = /^([^=]+)=([0-9a-f]{64})$/i.exec(text) ?? [];
      if (file === undefined || hex === undefined)
        throw new StartUpError(`--sha256 must be <file>=<64 hexadecimal digits>, not "${text}".`);
      return [file, hex.toLowerCase()];
    }),
  );
}
