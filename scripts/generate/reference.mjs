import { readFileSync } from 'node:fs';
import { problemMeanings, problemStatuses } from '../../packages/core/dist/index.js';
import { buildProgram } from '../../packages/server/dist/cli/build-program.js';
import { settingAreas } from '../../packages/server/dist/config/settings.js';
import { memoryKinds } from '../../packages/server/dist/engine/memories/kinds.js';
import { problemsOf } from '../../packages/server/dist/http/openapi.js';
import { surfaceNames, trustLevels } from '../../packages/server/dist/ports/memory-origin.js';

const note = 'Generated from the code by `npm run generate`.\n';

export function toConfigReference() {
  const sections = Object.entries(settingAreas).map(([title, area]) =>
    [
      `## ${title}`,
      '',
      row('name in the file', 'variable', 'flag of `memhall serve`', 'default', 'meaning'),
      row('---', '---', '---', '---', '---'),
      ...Object.entries(area).map(toSettingRow),
      '',
    ].join('\n'),
  );
  const text = [
    'A flag overrides its variable, a variable overrides the configuration file, and the file overrides the default. `memhall config`',
    'shows what is set and where it comes from.',
    '',
    '`memhall init` writes a configuration file: a JSON object with the names below, such as `{"port": 8010}`. Commands read the file in',
    '`--config` or `MEMHALL_CONFIG`, else `memhall/config.json` in `$XDG_CONFIG_HOME`, else in `~/.config`; never one in the working',
    'directory. Paths in it are relative to the file. It must belong to you or to root, and if it holds secrets, only you may read it',
    '(`chmod 600`). Unknown names are errors. Editors check and complete it with [config.schema.json](config.schema.json), which',
    '`memhall config --schema` prints too.',
  ].join('\n');
  return `# Configuration\n\n${note}\n${text}\n\n${sections.join('\n')}`;
}

/** @param {[string, import('../../packages/server/dist/config/setting.js').Setting<any>]} entry */
function toSettingRow([name, { env, flag, defaultText, default: standard, description }]) {
  const fallback = defaultText ?? (standard === undefined ? '' : code(String(standard)));
  return row(code(name), code(env), flag === undefined ? '' : code(flag), fallback, description);
}

export function toKindReference() {
  const rows = Object.entries(memoryKinds).map(([name, { summary, isRedacted }]) =>
    row(code(name), summary, isRedacted ? 'yes' : 'if the surface says so'),
  );
  const text = [
    'Over HTTP, a memory has one of these kinds. Programs that embed Memhall can store others.',
    `Each memory also says through which surface it came (${surfaceNames.map(code).join(', ')}) and how far it can be trusted`,
    `(${trustLevels.map(code).join(', ')}; the first two are equal, each of the others is lower than those before it).`,
  ].join(' ');
  return page('Kinds of memory', text, [
    row('kind', 'meaning', 'secrets are removed from its text'),
    row('---', '---', '---'),
    ...rows,
  ]);
}

export function toErrorReference() {
  const rows = Object.entries(problemStatuses).map(([name, status]) =>
    row(code(name), String(status), problemMeanings[/** @type {keyof typeof problemMeanings} */ (name)]),
  );
  const shape =
    'Errors are `{"error":{"code","message","request_id","details"}}`; `request_id` is also the header `X-Request-Id`.';
  return page('Errors', shape, [row('code', 'status', 'meaning'), row('---', '---', '---'), ...rows]);
}

export async function toCommandReference() {
  const program = await buildProgram({});
  const commands = leaves(program);
  const sections = commands.map(({ name, command }) => {
    const help = command.configureHelp({ helpWidth: 110 }).createHelp();
    const rows = help.visibleOptions(command).map((option) => row(code(option.flags), help.optionDescription(option)));
    const examples = exampleLines(command);
    return [
      `## ${name}`,
      '',
      command.description(),
      '',
      row('option', 'meaning'),
      row('---', '---'),
      ...rows,
      '',
      '```',
      ...examples,
      '```',
      '',
    ].join('\n');
  });
  return `# Commands\n\n${note}\n${sections.join('\n')}`;
}

/** @param {readonly { title: string, routes: readonly any[] }[]} surfaces */
export function toApiReference(surfaces) {
  const sections = surfaces.map(({ title, routes }) => {
    const rows = routes.map((route) => {
      const own = problemsOf(route).filter((name) => !common.has(name));
      return row(
        code(`${route.method} ${route.path}`),
        code(route.operation),
        route.access,
        route.summary,
        own.map(code).join(' '),
      );
    });
    return [
      `## ${title}`,
      '',
      row('call', 'operation', 'access', 'what it does', 'problems'),
      row('---', '---', '---', '---', '---'),
      ...rows,
      '',
    ].join('\n');
  });
  const text =
    'Schemas are in [openapi.json](openapi.json) and [openapi-plugin.json](openapi-plugin.json). A running server has them at `/openapi.json`, and as a readable page at `/docs`. Problems that any call can return are omitted here: [errors](errors.md) lists them all.';
  return `# HTTP interface\n\n${note}\n${text}\n\n${sections.join('\n')}`;
}

const common = new Set([
  'INVALID_REQUEST',
  'UNKNOWN_FIELD',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'QUOTA_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL',
  'UNAVAILABLE',
]);

/** @param {import('commander').Command} command @param {string} [prefix] @returns {{ name: string, command: import('commander').Command }[]} */
function leaves(command, prefix = '') {
  const name = `${prefix}${command.name()}`;
  if (command.commands.length === 0) return [{ name, command }];
  return command.commands.flatMap((child) => leaves(child, `${name} `));
}

/** @param {import('commander').Command} command */
function exampleLines(command) {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text
    .split('\n')
    .filter((line) => line.startsWith('  $ '))
    .map((line) => line.slice(4));
}

/** @param {string} title @param {string} text @param {string[]} rows */
function page(title, text, rows) {
  return `# ${title}\n\n${note}\n${text}\n\n${rows.join('\n')}\n`;
}

/** @param {...string} cells */
function row(...cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @typedef {{ title: string, source: string, input: object, content: string, is_error: boolean, files?: Record<string, string>, sdk?: { content: string, why: string } }} ToolCase */

/** The cases that the tests of the memory tool run, as a table. */
export function toMemoryToolReference() {
  const file = new URL('../../packages/server/test-data/memory-tool/cases.json', import.meta.url);
  /** @type {ToolCase[]} */
  const cases = JSON.parse(readFileSync(file, 'utf8'));
  const differing = cases.flatMap(({ title, sdk }) => (sdk === undefined ? [] : [{ title, sdk }]));
  const text = [
    '# The memory tool, case by case',
    '',
    `${note}`,
    'What `POST /v1/memory-tool` answers, next to what is published for the tool `memory_20250818`. A test runs every case. Published in: `docs`,',
    "the documentation of the Messages API; `sdk`, where it says nothing, the file system implementation of Anthropic's SDK for TypeScript, which",
    'another test runs with the same cases. The SDK leaves out `Error: ` and adds it when it hands the text to the model.',
    '',
    row('case', 'published in', 'files before', 'command', 'answer'),
    row('---', '---', '---', '---', '---'),
    ...cases.map((one) => {
      const answer = `${literal(one.content)}${one.is_error ? ' (error)' : ''}`;
      return row(one.title, one.source, filesOf(one), literal(JSON.stringify(one.input)), answer);
    }),
    '',
    '## Where the SDK answers otherwise',
    '',
    row('case', 'the file system implementation of the SDK', 'its answer'),
    row('---', '---', '---'),
    ...differing.map((one) => row(one.title, one.sdk.why, literal(one.sdk.content))),
    '',
    'Its directories have the size that the file system gives them; here it is the size of all files in them.',
  ];
  return `${text.join('\n')}\n`;
}

/** Shows text as code in a cell of a table, which cannot have line feeds. @param {string} text */
function literal(text) {
  return `\`\` ${text.replaceAll('\n', '⏎').replaceAll('\t', '⇥')} \`\``;
}

/** @param {ToolCase} case */
function filesOf({ files = {} }) {
  return Object.entries(files)
    .map(
      ([path, text]) =>
        `${path} ${literal(text.length > 100 ? `${text.slice(0, 20)}… (${text.length} characters)` : text || ' ')}`,
    )
    .join(', ');
}
