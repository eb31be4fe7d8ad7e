import type { Snippet } from './read-snippets.js';

/** Code that is not run, with the reason. */
const excluded: readonly { page: string; code: RegExp; reason: string }[] = [
  { page: 'README.md', code: /^npm ci/m, reason: 'is for this repository' },
  { page: 'README.md', code: /mcp install/, reason: 'changes the configuration of an editor' },
  {
    page: 'docs/guide/building-a-provider.md',
    code: /ShelfProvider|shelf-provider/,
    reason: 'a sketch of your own class',
  },
  { page: 'docs/guide/claude-memory.md', code: /new Anthropic/, reason: 'asks the Messages API' },
  {
    page: 'docs/guide/frameworks.md',
    code: /@openai\/agents|@mastra\/core|llamaindex|claude-agent-sdk/,
    reason: 'npm run test:frameworks runs it',
  },
  { page: 'docs/guide/building-a-provider.md', code: /my-provider/, reason: 'names your own provider' },
  {
    page: 'docs/guide/coding-agents.md',
    code: /memhall install|off-the-record start|github/,
    reason: 'changes the configuration of an agent, or is about a repository of your own',
  },
  {
    page: 'docs/guide/import.md',
    code: /memories\.json|row_to_json|--of alice/,
    reason: 'reads exports of your own',
  },
  { page: 'docs/guide/mcp.md', code: /memory\.example\.com/, reason: 'names your own server' },
  { page: 'docs/guide/plugins.md', code: /examples\/plugins|plugin\.sock|my-plugin/, reason: 'names your own plugin' },
  { page: 'docs/guide/provider-local.md', code: /<hash>/, reason: 'needs a text in quarantine' },
  { page: 'docs/guide/recall.md', code: /Downloads\/my-model/, reason: 'names a model of your own' },
  { page: 'docs/guide/agent.md', code: /\.beaver\/sessions/, reason: 'finds lines only after a failure' },
];

export function isRun({ page, code }: Snippet): boolean {
  return !excluded.some((one) => one.page === page && one.code.test(code));
}

/** Exclusions that match no code any more. */
export function unusedExclusions(snippets: readonly Snippet[]): string[] {
  return excluded
    .filter((one) => !snippets.some(({ page, code }) => one.page === page && one.code.test(code)))
    .map(({ page, code }) => `${page}: ${code}`);
}

const client = `const memory = new MemoryClient({ baseUrl, token });`;
const backend = `const memory = new MemoryGatewayBackend(parseGatewayConfiguration({ baseUrl, userId, userKey }));`;

/** What readers have, by the name that code uses. What others need comes first. */
const given: readonly { name: string; code: string; pages?: RegExp }[] = [
  { name: 'MemoryClient', code: `import { MemoryClient } from '@memhall/client';` },
  { name: 'OneMemoryClient', code: `import { OneMemoryClient } from '@memhall/client/one-memory';` },
  { name: 'TaskContext', code: `import { TaskContext } from '@memhall/client';` },
  { name: 'PlanContext', code: `import { PlanContext } from '@memhall/client';` },
  { name: 'loadAgent', code: `import { loadAgent } from '@memhall/agent';` },
  { name: 'ServerSessionStore', code: `import { ServerSessionStore } from '@memhall/agent';` },
  { name: 'FileSessionStore', code: `import { FileSessionStore } from '@memhall/agent';` },
  { name: 'rememberMessages', code: `import { rememberMessages } from '@memhall/agent';` },
  { name: 'MemoryGatewayBackend', code: `import { MemoryGatewayBackend } from '@memhall/agent';` },
  { name: 'parseGatewayConfiguration', code: `import { parseGatewayConfiguration } from '@memhall/agent';` },
  { name: 'createOpenAICompatible', code: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';` },
  { name: 'StateGraph', code: `import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';` },
  { name: 'baseUrl', code: `const baseUrl = process.env.URL ?? '';` },
  { name: 'url', code: `const url = process.env.URL ?? '';` },
  { name: 'token', code: `const token = process.env.TOKEN ?? '';` },
  { name: 'serviceToken', code: `const serviceToken = process.env.SERVICE_TOKEN ?? '';` },
  { name: 'currentToken', code: `const currentToken = () => process.env.TOKEN ?? '';` },
  { name: 'baseURL', code: `const baseURL = process.env.MODEL_URL ?? '';` },
  { name: 'apiKey', code: `const apiKey = 'none';` },
  { name: 'key', code: `const key = process.env.USER_KEY ?? '';` },
  { name: 'userKey', code: `const userKey = process.env.USER_KEY ?? '';` },
  { name: 'userId', code: `const userId = 'ada';` },
  { name: 'sessionId', code: `const sessionId = 's1';` },
  {
    name: 'messages',
    code: `const messages = [{ id: 'm1', role: 'user' as const, content: 'I live in Lisbon.', timestamp: '2026-02-14T20:00:00Z' }];`,
  },
  { name: 'fields', code: `const fields = { taskId: 'task-9', eventType: 'research.requested' };` },
  { name: 'event', code: `const event = { taskId: 'task-1', result: 'done' };` },
  { name: 'queue', code: 'const queue = { publish: async (_name: string, _message: unknown) => {} };' },
  { name: 'model', code: `const model = createOpenAICompatible({ name: 'test', baseURL, apiKey })('test');` },
  { name: 'memory', code: client, pages: /README|memory-service/ },
  { name: 'memory', code: backend, pages: /agent/ },
  { name: 'sessions', code: `const sessions = new FileSessionStore('.beaver/sessions');` },
  { name: 'loop', code: `const { loop } = await loadAgent({ directory: '.', model });` },
  {
    name: 'openai',
    code: `const openai = { chat: { completions: { create: async (_: object) => ({ choices: [{ message: { content: 'Yes.' } }] as [{ message: { content: string } }] }) } } };`,
  },
  {
    name: 'builder',
    code: `const builder = new StateGraph(MessagesAnnotation).addNode('answer', () => ({})).addEdge(START, 'answer');`,
  },
];

/** Returns a module: the code, after the definitions of all names that it uses and does not define. */
export function toModule({ page, code }: Snippet): string {
  let module = code;
  for (const { name, code: definition, pages = /./ } of [...given].reverse()) {
    const isUsed = new RegExp(`(?<![.'/\\w-])${name}\\b(?!['/])(?!: )`).test(module);
    if (isUsed && !defines(module, name) && pages.test(page)) module = `${definition}\n${module}`;
  }
  return `${module}\nexport {};\n`;
}

function defines(code: string, name: string): boolean {
  return new RegExp(
    `(const|let|function|class) ${name}\\b|(const|import) \\{[^}]*\\b${name}\\b(?!:)[^}]*\\} (=|from)`,
  ).test(code);
}
