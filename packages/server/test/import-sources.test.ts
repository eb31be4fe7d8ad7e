import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openForeignMemories } from '../src/composition/open-foreign-memories.js';
import type { ForeignItem, ForeignSource } from '../src/ports/foreign-memories.js';
import { writeZip } from './support/write-zip.js';

const exported = (name: string) => fileURLToPath(new URL(`../test-data/imports/${name}`, import.meta.url));

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'memhall-import-'));
});
afterAll(() => rm(directory, { recursive: true }));

let count = 0;

/** Writes files to a new folder. Returns its path. */
function folder(files: Record<string, unknown>): string {
  const path = join(directory, `export-${++count}`);
  mkdirSync(path);
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    utimesSync(file, new Date('2026-03-04T05:06:07Z'), new Date('2026-03-04T05:06:07Z'));
  }
  return path;
}

async function read(source: ForeignSource, path: string): Promise<ForeignItem[]> {
  const memories = await openForeignMemories(source, path);
  const items: ForeignItem[] = [];
  try {
    for await (const item of memories.items()) items.push(item);
  } finally {
    await memories.close();
  }
  return items;
}

const reasons = (items: readonly ForeignItem[]) =>
  items.flatMap((item) => (item.type === 'unfit' ? [item.reason] : []));
const texts = (items: readonly ForeignItem[]) => items.flatMap((item) => (item.type === 'memory' ? [item.text] : []));

describe('exports of real versions', () => {
  it('of mem0ai 3.3.1 are read with times, users and authors', async () => {
    const items = await read('mem0', exported('mem0-3.3.1.json'));
    expect(items).toHaveLength(4);
    expect(items[0]).toMatchObject({
      ...{ type: 'memory', kind: 'fact', text: 'Alice is allergic to peanuts', owners: ['alice'], author: 'alice' },
      ...{ occurredAt: new Date('2026-11-19T14:35:39.743Z'), details: { metadata: { app: 'planner' } } },
    });
    expect(items[3]).toMatchObject({ text: 'Bob is learning to sail.', owners: ['bob'], details: { agent: 'coach' } });
  });

  it('of the MCP memory server 2026.8.31 are read as one memory for each observation and relation', async () => {
    const items = await read('mcp-memory', exported('mcp-memory-2026.8.31.jsonl'));
    expect(texts(items)).toEqual([
      'Anna_Berg: Speaks Norwegian',
      'Anna_Berg: Plays the cello on Mondays',
      'Anna_Berg: Takes the ferry to work',
      'Fjord_Labs: Builds sensors for boats',
      'Anna_Berg works at Fjord_Labs',
    ]);
    expect(items[0]).toMatchObject({ details: { entity: 'Anna_Berg', entity_type: 'person' } });
    expect(reasons(items)).toEqual(['an entity about which nothing was observed']);
  });

  it.each(['langgraph-checkpoint-1.1.5.json', 'langgraph-checkpoint-postgres-1.0.5.jsonl'])(
    'of LangGraph are read, from memory and from PostgreSQL: %s',
    async (name) => {
      const items = await read('langgraph', exported(name));
      expect(texts(items).sort()).toEqual([
        'Alice does not eat fish.',
        'Alice prefers trains to planes.',
        'city: Bergen\nlanguage: Norwegian',
      ]);
      const trains = items.find((item) => item.type === 'memory' && item.text.includes('trains'));
      expect(trains).toMatchObject({
        id: '["memories","alice","trains"]',
        owners: ['memories/alice', 'memories', 'alice'],
        occurredAt: expect.any(Date),
        details: { value: { importance: 3 } },
      });
      expect(reasons(items)).toEqual(['a value without text']);
    },
  );
});

describe('exports as they are documented', () => {
  it('of the platform of mem0 are read', async () => {
    const path = folder({
      'memories.json': {
        results: [
          {
            ...{
              id: 'm1',
              memory: 'Likes tea',
              user_id: 'alice',
              agent_id: 'planner',
              run_id: 'run-7',
              actor_id: 'ann',
            },
            ...{
              categories: ['food'],
              created_at: '2024-05-01T10:00:00-07:00',
              updated_at: '2024-06-01T10:00:00.123456',
            },
          },
          { id: 'm2', memory: '   ' },
          { memory: 'without an id' },
          'not an object',
        ],
        relations: [{ source: 'alice', relationship: 'likes', target: 'tea' }],
      },
    });
    const items = await read('mem0', path);
    expect(items[0]).toMatchObject({
      ...{ id: 'm1', text: 'Likes tea', author: 'ann', owners: ['alice'], session: 'run-7', tags: ['food'] },
      ...{
        occurredAt: new Date('2024-06-01T10:00:00.123Z'),
        details: { agent: 'planner', created_at: '2024-05-01T17:00:00.000Z' },
      },
    });
    expect(reasons(items)).toEqual([
      'no text',
      'no id',
      'not a memory',
      'a relation of the graph, which has neither an id nor a time',
    ]);
  });

  it('of Zep are read, and a fact that is over says so', async () => {
    const path = folder({
      'edges.json': {
        edges: [
          {
            ...{ uuid: 'e1', fact: 'Kendra loves Adidas shoes', name: 'LOVES', created_at: '2024-03-02T00:00:00Z' },
            ...{ valid_at: '2024-01-01T00:00:00Z', invalid_at: '2024-03-01T00:00:00Z' },
          },
          { uuid: 'e2', fact: 'Kendra likes Puma shoes', created_at: '2024-03-02T00:00:00Z', invalid_at: null },
          { uuid: 'e3' },
        ],
      },
      'nodes.json': [{ uuid: 'n1', name: 'Kendra', summary: 'Runs marathons.', labels: ['Person'] }],
      'thread.json': {
        thread_id: 't1',
        user_id: 'kendra',
        messages: [
          { uuid: 'a', role: 'user', name: 'Kendra', content: 'My shoes broke.', created_at: '2024-03-01T09:00:00Z' },
          { uuid: 'b', role: 'Ann', role_type: 'norole', content: 'Mine too.' },
          { uuid: 'c', role: 'tool', content: '{"ok":true}' },
        ],
      },
    });
    const items = await read('zep', path);
    expect(texts(items)).toEqual([
      'Kendra loves Adidas shoes (true from 2024-01-01 until 2024-03-01)',
      'Kendra likes Puma shoes',
      'Kendra: Runs marathons.',
      'My shoes broke.',
      'Mine too.',
    ]);
    expect(items[0]).toMatchObject({ kind: 'fact', occurredAt: new Date('2024-01-01T00:00:00Z') });
    expect(items[4]).toMatchObject({
      ...{ kind: 'episodic', role: 'user', session: 't1', owners: ['kendra'], details: { name: 'Kendra' } },
    });
    expect(items[5]).toMatchObject({ author: 'Ann', session: 't1' });
    expect(items[5]).not.toHaveProperty('role');
    expect(reasons(items)).toEqual(['neither a fact, a message nor a summary', 'output of a tool']);
  });

  it('of Letta are read: blocks, what users said and what agents sent', async () => {
    const call = (name: string, given: object) => ({ function: { name, arguments: JSON.stringify(given) } });
    const text = (value: string) => [{ type: 'text', text: value }];
    const wrapped = (type: string) => JSON.stringify({ type, message: 'I live in Lyon.', time: '2025-01-01' });
    const path = folder({
      'support.af': {
        agents: [
          {
            name: 'support',
            messages: [
              { role: 'system', content: text('You are Letta.') },
              { role: 'user', content: text(wrapped('user_message')), created_at: '2025-01-01T10:00:00+00:00' },
              { role: 'user', content: text(wrapped('heartbeat')), created_at: '2025-01-01T10:00:01+00:00' },
              {
                role: 'assistant',
                content: text('The user lives in Lyon. I should greet.'),
                tool_calls: [call('send_message', { message: 'Lyon is lovely.' })],
                created_at: '2025-01-01T10:00:02+00:00',
              },
              { role: 'assistant', content: text('hm'), tool_calls: [call('core_memory_append', { content: 'x' })] },
              { role: 'tool', content: text('OK') },
              { role: 'assistant', content: text('A plain answer.') },
            ],
          },
        ],
        blocks: [
          { id: 'block-0', label: 'human', value: 'Name: Lea', description: 'The user' },
          { id: 'block-1', label: 'persona', value: 'Kind.' },
        ],
      },
    });
    const items = await read('letta', path);
    expect(texts(items)).toEqual(['I live in Lyon.', 'Lyon is lovely.', 'A plain answer.', 'human: Name: Lea']);
    expect(items[1]).toMatchObject({ role: 'user', session: 'support', occurredAt: new Date('2025-01-01T10:00:00Z') });
    expect(reasons(items)).toEqual([
      'instructions of the agent',
      'a message of the system',
      'thoughts and calls of tools',
      'output of a tool',
      'the persona of an agent',
    ]);
  });

  const node = (id: string, parent: string | null, message: object | null) => ({ id, parent, children: [], message });
  const message = (role: string, parts: unknown[], more: object = {}) => ({
    ...{ author: { role }, create_time: 1_714_557_600.5, content: { content_type: 'text', parts }, recipient: 'all' },
    ...more,
  });
  const conversation = {
    ...{ id: 'c1', conversation_id: 'c1', title: 'Shoes', create_time: 1_714_557_600, current_node: 'f' },
    mapping: {
      a: node('a', null, null),
      b: node('b', 'a', message('system', [''])),
      c: node('c', 'b', message('user', ['I wear size 43.', { content_type: 'image_asset_pointer' }])),
      d: node('d', 'c', message('assistant', ['An answer that was replaced.'])),
      e: node('e', 'c', message('assistant', ['User wears shoe size 43.'], { recipient: 'bio' })),
      f: node('f', 'e', message('assistant', ['Noted.'])),
      g: node('g', 'f', message('tool', ['42'], { author: { role: 'tool', name: 'python' } })),
      h: node(
        'h',
        'f',
        message('assistant', ['print(42)'], { recipient: 'python', content: { content_type: 'code', text: '1' } }),
      ),
    },
  };

  it('of ChatGPT are read from a zip: the branch that is shown, and saved memories', async () => {
    const path = writeZip(join(directory, 'chatgpt.zip'), [
      { name: 'chat.html', bytes: '<html>' },
      { name: 'conversations-000.json', bytes: JSON.stringify([conversation]) },
      { name: 'conversations-001.json', bytes: JSON.stringify([{ id: 'c2' }]) },
    ]);
    const items = await read('chatgpt', path);
    expect(texts(items)).toEqual(['I wear size 43.', 'User wears shoe size 43.', 'Noted.']);
    expect(items[0]).toMatchObject({
      ...{ id: 'c1:c', kind: 'episodic', role: 'user', session: 'c1', details: { title: 'Shoes' } },
      occurredAt: new Date(1_714_557_600_500),
    });
    expect(items.find((item) => item.type === 'memory' && item.id === 'c1:e')).toMatchObject({ kind: 'fact' });
    expect(reasons(items)).toEqual([
      'in a branch that was replaced',
      'output of a tool',
      'thoughts and calls of tools',
      'not a conversation',
    ]);
  });

  it('of ChatGPT that go around in circles, or have wrong types, are passed over', async () => {
    const path = folder({
      'conversations.json': [
        {
          id: 'x',
          current_node: 'a',
          mapping: { a: node('a', 'b', message('user', ['Once.'])), b: node('b', 'a', null) },
        },
        {
          id: 'y',
          mapping: { a: { message: { author: 7, content: [], create_time: 'soon' } }, b: 'text', c: { message: null } },
        },
        { id: 'z', mapping: 'none' },
        null,
        { id: '__proto__', current_node: '__proto__', mapping: JSON.parse('{"__proto__": {"parent": "__proto__"}}') },
      ],
    });
    const items = await read('chatgpt', path);
    expect(texts(items)).toEqual(['Once.']);
    expect(reasons(items)).toEqual(['a message without a role', 'not a conversation', 'not a conversation']);
  });

  it('of Claude are read: conversations and memories', async () => {
    const path = folder({
      'conversations.json': [
        {
          ...{ uuid: 'c1', name: 'Trip', created_at: '2026-02-14T10:04:22.000Z' },
          chat_messages: [
            {
              uuid: 'm1',
              sender: 'human',
              text: 'I leave on Monday.',
              created_at: '2026-02-14T10:04:22.000Z',
              attachments: [{}],
            },
            {
              uuid: 'm2',
              sender: 'assistant',
              text: 'placeholder',
              content: [{ type: 'text', text: 'Bon voyage.' }, { type: 'tool_use' }],
            },
            { uuid: 'm3', sender: 'human', text: '' },
          ],
        },
      ],
      'memories.json': [
        {
          conversations_memory: '**Work context**\n\nLea sells boats.\n\n**Personal**\n\nShe sails.',
          project_memories: { p1: 'Use SQL.' },
        },
      ],
      'projects/p1.json': JSON.stringify(
        { uuid: 'p1', name: 'Boats', docs: [{ filename: 'a.md', content: 'x' }] },
        null,
        2,
      ),
      'users.json': [{ uuid: 'u1', full_name: 'Lea' }],
    });
    const items = await read('claude', path);
    expect(texts(items)).toEqual([
      'I leave on Monday.',
      'Bon voyage.',
      'Work context\nLea sells boats.',
      'Personal\nShe sails.',
      'Use SQL.',
    ]);
    expect(reasons(items)).toEqual(['an attachment', 'a message without text', 'a document of a project']);
    const [id] = items.flatMap((item) => (item.type === 'memory' && item.kind === 'summary' ? [item.id] : []));
    expect(id).toBe('memory:Work context');
  });

  it('of Markdown folders are read section by section, with what is written above the text', async () => {
    const path = folder({
      'trips/oslo.md':
        '---\ndate: 2025-07-01\nauthor: Ann\ntags:\n  - travel\n  - "north"\n---\nWe went by train.\n\n# Food\nFish.\n## Sweets\nBuns.\n',
      'plain.md': '# One\n\n```\n# no heading\n```\n\n# One\nAgain.\n',
      'picture.png': 'x',
      'empty.md': '\n',
      '.obsidian/app.md': 'hidden',
    });
    symlinkSync('/etc/hostname', join(path, 'link.md'));
    const items = await read('markdown', path);
    expect(texts(items)).toEqual([
      'One\n```\n# no heading\n```',
      'One\nAgain.',
      'oslo\nWe went by train.',
      'Food\nFish.',
      'Sweets\nBuns.',
    ]);
    expect(items.filter(({ type }) => type === 'memory').at(-1)).toMatchObject({
      ...{ id: 'trips/oslo.md#Food / Sweets', author: 'Ann', tags: ['travel', 'north'], kind: 'note' },
      occurredAt: new Date('2025-07-01T00:00:00Z'),
    });
    expect(items.find((item) => item.type === 'memory' && item.id === 'plain.md#One (2)')).toMatchObject({
      occurredAt: new Date('2026-03-04T05:06:07Z'),
    });
    expect(reasons(items).sort()).toEqual(['a file without text', 'a symbolic link', 'not Markdown']);
  });
});

describe('exports that are broken or hostile', () => {
  const zip = (name: string, says: object, bytes: Buffer | string = '[]') =>
    writeZip(join(directory, `${name}.zip`), [{ name: 'conversations.json', bytes, says }]);

  it.each([
    ['a bomb', () => zip('bomb', {}, Buffer.alloc(64 * 1024 * 1024, ' ')), 'would be far larger than an export'],
    ['more than it says', () => zip('liar', { unpackedBytes: 4 }, '[1, 2, 3, 4]'), 'is larger than the archive says'],
    ['less than it says', () => zip('short', { unpackedBytes: 400 }, '[]'), 'is cut off'],
    ['encrypted', () => zip('locked', { isEncrypted: true }), 'is encrypted'],
    ['packed unusually', () => zip('odd', { method: 99 }), 'is packed in an unusual way'],
  ])('are refused: %s', async (_, path, message) => {
    await expect(read('chatgpt', path())).rejects.toThrow(message);
  });

  it('are refused: an archive that is cut off', async () => {
    const path = zip('cut', {}, JSON.stringify([1, 2, 3]));
    truncateSync(path, 60);
    await expect(read('chatgpt', path)).rejects.toThrow('is not a whole zip archive');
  });

  it('are refused: nothing to read', async () => {
    await expect(read('chatgpt', folder({ 'a.txt': 'x' }))).rejects.toThrow('There is no conversations.json in it');
    await expect(read('markdown', folder({ 'a.txt': 'x' }))).rejects.toThrow('There is no Markdown file');
    await expect(read('mem0', join(directory, 'missing.json'))).rejects.toThrow('missing.json does not exist');
    await expect(read('mem0', '/dev/null')).rejects.toThrow('is neither a file nor a directory');
  });
});
