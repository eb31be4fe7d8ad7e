import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { flagsOf, runCommand, runProgram } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { useServer } from './support/server.js';

describeOneDatabase('commands beside a running server', (database) => {
  const server = useServer(database);

  it('share one memory with it, and each says in the history where a change came from', async () => {
    const who = ['--tenant', 't1', '--user', 'u1', ...flagsOf(database())];
    const stored = await server().call({ method: 'POST', path: '/v1/remember', body: { content: 'The boat is red.' } });
    const { id } = stored.body.memory;
    const table = await runCommand(['recall', 'which', 'boat', ...who]);
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/^ID +SCORE +DATE +FROM +TEXT\n/);
    expect(table.stdout).toMatch(
      new RegExp(`${id} +0\\.\\d\\d +\\d{4}-\\d\\d-\\d\\d +you, HTTP API +The boat is red\\.\\n`),
    );

    const said = await runCommand(['remember', 'The', 'boat', 'is', 'red.', '--tag', 'sea', ...who]);
    expect(said.stdout).toBe(`Updated what was remembered: ${id}\n`);
    const shown = await server().call({ path: `/v1/memories/${id}` });
    expect(shown.body.memory).toMatchObject({ tags: ['sea'], trust: 'user', origin: { surface: 'api', author: 'u1' } });
    expect(shown.body.history).toMatchObject([
      { surface: 'api', operation: 'memory.remember' },
      { surface: 'cli', operation: 'cli.remember', user_id: 'u1' },
    ]);
    const printed = await runCommand(['show', id, '--json', ...who]);
    expect(JSON.parse(printed.stdout)).toEqual(shown.body);
    const text = await runCommand(['show', id, ...who]);
    expect(text.stdout).toMatch(/^The boat is red\.\n\nid: +\S+\nkind: +note\nfrom: +you, HTTP API\ntrust: +user\n/);
    expect(text.stdout).toMatch(/History\n.*written +HTTP API, by you\n.*command line, by you\n$/);

    expect(await runCommand(['forget', id, ...who])).toEqual({ code: 0, stdout: `Forgotten: ${id}\n`, stderr: '' });
    const recalled = await server().call({ method: 'POST', path: '/v1/recall', body: { query: 'boat' } });
    expect(recalled.body.results).toEqual([]);
  });
});

describeOneDatabase('memhall remember, recall, list, show and forget', (database) => {
  let count = 0;

  /** Runs commands as a new user. */
  function newUser() {
    const user = `user-${++count}`;
    const run = (...args: string[]) => runCommand([...args, '--user', user, ...flagsOf(database())]);
    const lines = async (...args: string[]) => {
      const { stdout } = await run(...args, '--json');
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    };
    return { user, run, lines };
  }

  it('export what the user owns, for programs and for people', async () => {
    const { user, run, lines } = newUser();
    await run('remember', 'The kettle is blue.', '--tag', 'house');
    const records = (await run('export', '--mine')).stdout.trimEnd().split('\n');
    expect(records.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ type: 'export', tenant_id: 'default', user_id: user }),
      { type: 'memory', ...(await lines('list'))[0] },
      { type: 'end', counts: { facts: 0, memories: 1, documents: 0, files: 0 } },
    ]);
    const output = join(database().config().dataDirectory, `${user}.md`);
    const written = await run('export', '--mine', '--format', 'markdown', '--output', output);
    expect(written).toEqual({ code: 0, stdout: `Export complete: ${output}\n`, stderr: '' });
    expect(readFileSync(output, 'utf8')).toMatch(
      /^# Memory of [\s\S]*\n## Remembered\n\n- The kettle is blue\.\n {2}\*.*; tags: house\*\n\n---\n\nComplete: .*1 memories.*\n$/,
    );
    expect(await run('export')).toMatchObject({ code: 1, stderr: expect.stringContaining("'--tenant <id>'") });
  });

  it('store nothing off the record', async () => {
    const { run, lines } = newUser();
    const unstored = 'Not remembered: this is off the record.\n';
    expect((await run('remember', 'Nobody knows.', '--off-the-record')).stdout).toBe(unstored);
    const started = await run('off-the-record', 'start', 'chat-7', '--until', '2999-01-01');
    expect(started.stdout).toBe('Off the record until 2999-01-01T00:00:00.000Z: chat-7\n');
    expect((await run('remember', 'Nobody knows.', '--session', 'chat-7')).stdout).toBe(unstored);
    const { stdout } = await run('off-the-record', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ session_id: 'chat-7', off_the_record: true });
    expect((await run('off-the-record', 'end', 'chat-7')).stdout).toBe('On the record: chat-7\n');
    expect(await lines('list')).toEqual([]);
  });

  it('take a text from standard input', async () => {
    const args = ['remember', '--user', 'piped', '--json', ...flagsOf(database())];
    const { code, stdout, stderr } = await runProgram(args, {}, 'one line\nanother line\n');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ content: 'one line\nanother line', kind: 'note' });
    const empty = await runProgram(args, {}, '\n');
    expect(empty).toMatchObject({
      code: 1,
      stderr: 'memhall: There is nothing to remember. Write the text after the command, or pipe it in.\n',
    });
  });

  it('store and print every field under the names of the HTTP API', async () => {
    const { user, lines } = newUser();
    const [memory] = await lines(
      ...['remember', 'We sailed to Korsør.', '--kind', 'episodic', '--tag', 'sea', '--tag', 'trip'],
      ...['--session', 's1', '--occurred-at', '2026-07-04', '--expires-at', '2036-01-01T12:00:00+02:00'],
      ...['--pin', '--external-id', 'trip-1'],
    );
    expect(memory).toMatchObject({
      content: 'We sailed to Korsør.',
      kind: 'episodic',
      tags: ['sea', 'trip'],
      session_id: 's1',
      occurred_at: '2026-07-04T00:00:00.000Z',
      expires_at: '2036-01-01T10:00:00.000Z',
      pin: true,
      external_id: 'trip-1',
      origin: { surface: 'cli', author: user },
    });
    expect(await lines('list', '--external-id', 'trip-1')).toEqual([memory]);
    const [again] = await lines('remember', 'We sailed to Nyborg.', '--kind', 'episodic', '--external-id', 'trip-1');
    expect(again).toMatchObject({ id: memory.id, content: 'We sailed to Nyborg.' });
  });

  it('choose by time, kind, tag, session and scope; a day given as the end counts whole', async () => {
    const { run, lines } = newUser();
    await run('remember', 'Gull in May', '--occurred-at', '2026-05-31T23:30:00Z', '--tag', 'grey');
    await run('remember', 'Gull in June', '--occurred-at', '2026-06-01', '--kind', 'summary', '--session', 's9');
    const texts = async (...args: string[]) => {
      const found = await lines('recall', 'gull', ...args);
      const listed = await lines('list', ...args);
      expect(listed.map(({ content }) => content).sort()).toEqual(found.map(({ text }) => text).sort());
      return found.map(({ text }) => text).sort();
    };
    expect(await texts()).toEqual(['Gull in June', 'Gull in May']);
    expect(await texts('--to', '2026-05-31')).toEqual(['Gull in May']);
    expect(await texts('--from', '2026-06-01')).toEqual(['Gull in June']);
    expect(await texts('--kind', 'summary', '--kind', 'fact')).toEqual(['Gull in June']);
    expect(await texts('--tag', 'grey')).toEqual(['Gull in May']);
    expect(await texts('--session', 's9')).toEqual(['Gull in June']);
    expect(await texts('--scope', 'public')).toEqual([]);
    expect(await lines('recall', 'gull', '--limit', '1', '--explain')).toMatchObject([{ explain: { copies: [] } }]);
    expect((await run('recall', 'gull', '--explain')).stdout).toMatch(/\n {2}why: words \+\d/);
    const [may] = await lines('list', '--tag', 'grey');
    const why = (...args: string[]) => run('recall', 'gull', '--why', may.id, ...args);
    expect((await why('--limit', '2')).stdout).toMatch(/^It is in result \d, found by words\.\n$/);
    expect((await why('--kind', 'summary')).stdout).toBe('The request leaves it out by its kind.\n');
    expect(JSON.parse((await why('--from', '2026-06-01', '--json')).stdout)).toMatchObject({
      returned: false,
      explain: { filters: ['from'] },
    });
  });

  it('share with a team, and mark the words of somebody else', async () => {
    const [ann, bob] = [newUser(), newUser()];
    const team = ['--team', `crew-${count}`];
    const shared = ['--namespace', `team:crew-${count}`];
    const [memory] = await ann.lines('remember', 'We meet at the pier.', ...team, ...shared);
    expect(await bob.lines('recall', 'pier')).toEqual([]);
    expect(await bob.lines('recall', 'pier', ...team)).toMatchObject([{ id: memory.id, own: false }]);
    expect(await bob.lines('recall', 'pier', ...shared)).toMatchObject([{ id: memory.id }]);
    expect((await bob.run('list', ...team)).stdout).toContain(`${ann.user}, team:crew-${count}`);
    expect((await bob.run('show', memory.id)).stderr).toBe(`memhall: There is no memory ${memory.id}.\n`);
    expect((await bob.run('show', memory.id, ...shared)).stdout).toContain(`command line, by ${ann.user}\n`);
  });

  it('page through lists, or list everything', async () => {
    const { run, lines } = newUser();
    for (const number of [1, 2, 3]) await run('remember', `Buoy ${number}`);
    const first = await run('list', '--limit', '2');
    expect(first.stdout).toMatch(/Buoy 3\n.*Buoy 2\n$/);
    const cursor = /^There are more\. Add --cursor (\S+), or --all\.\n$/.exec(first.stderr)?.[1] ?? '';
    const second = await run('list', '--limit', '2', '--cursor', cursor);
    expect(second.stdout).toMatch(/Buoy 1\n$/);
    expect(second.stdout).not.toContain('Buoy 2');
    expect(second.stderr).toBe('');
    expect((await lines('list', '--all')).map(({ content }) => content)).toEqual(['Buoy 3', 'Buoy 2', 'Buoy 1']);
  });

  it('help where there is nothing', async () => {
    const { run } = newUser();
    expect(await run('list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no memories yet. Store one with `memhall remember`.\n',
    });
    expect(await run('list', '--tag', 'x')).toMatchObject({
      stderr: 'There are no such memories. Try fewer options, or `memhall list`.\n',
    });
    expect(await run('recall', 'a', 'heron')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing matches "a heron". Try fewer words, or `memhall list`.\n',
    });
    expect(await run('recall', 'heron', '--json')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('forget several, with their copies, or nothing at all if one is missing', async () => {
    const { run, lines } = newUser();
    const [note] = await lines('remember', 'The lamp is lit.');
    const [copy] = await lines('remember', 'the lamp is lit', '--kind', 'semantic');
    const [other] = await lines('remember', 'The tide is low.');
    const failed = await run('forget', note.id, 'nosuch');
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: 'memhall: There is no memory nosuch.\n' });
    expect(await lines('list')).toHaveLength(3);
    const forgotten = await lines('forget', note.id, copy.id, other.id, note.id, '--copies');
    expect(forgotten).toEqual([{ id: note.id }, { id: copy.id }, { id: other.id }]);
    expect(await lines('list')).toEqual([]);
  });

  it.each([
    [
      ['recall', 'x', '--limit', '101'],
      "error: option '--limit <number>' argument '101' is invalid. It must be between",
    ],
    [['list', '--kind', 'wish'], "error: option '--kind <kind>' argument 'wish' is invalid. It must be one of note,"],
    [['list', '--from', 'May'], "error: option '--from <date>' argument 'May' is invalid. Write 2026-11-18 or"],
    [['list', '--to', '2026-02-30'], 'is not an existing date'],
    [['list', '--all', '--limit', '3'], "option '--all' cannot be used with option '--limit <number>'"],
    [['remember', 'x', '--kind', 'tier'], 'Allowed choices are note,'],
    [
      ['remember', 'x', '--namespace', 'a b'],
      'memhall: --namespace must be the name of a namespace, such as team:blue',
    ],
    [['list', '--tenant', 'a b'], 'memhall: --tenant must be 1 to 128 characters of'],
  ])('say what is wrong: %j', async (args, message) => {
    const { code, stdout, stderr } = await newUser().run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });
});
