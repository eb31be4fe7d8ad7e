// A small correct system: one JSON file, written whole under a lock. Tests plant faults in its text.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const claimed = (note) => ({ claimed: true, note });
const names =
  'users tenants scopedIds restart processes append replace forget forgetUser compact questions asOf knownAt supersedes provenance';

export const adapter = {
  name: 'shelf',
  title: 'Shelf',
  settings: 'None.',
  documentation: 'https://shelf.example',
  packages: [],
  storage: 'files',
  claims: Object.fromEntries(names.split(' ').map((name) => [name, claimed('It says so.')])),
  open: async ({ directory }) => openShelf(directory),
};

const same = (one, other) => one.tenant === other.tenant && one.user === other.user;
const empty = () => ({ memories: [], statements: [] });

function openShelf(directory) {
  const file = join(directory, 'shelf.json');
  const lock = join(directory, 'lock');
  const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : empty());
  const write = (shelf) => {
    const draft = `${file}.${process.pid}`;
    const to = openSync(draft, 'w');
    writeSync(to, JSON.stringify(shelf));
    fsyncSync(to);
    closeSync(to);
    renameSync(draft, file);
  };
  const change = async (work) => {
    await take(lock);
    try {
      const shelf = read();
      // Time for a writer that does not wait for the lock to get in between.
      await sleep(2);
      const result = work(shelf);
      write(shelf);
      return result;
    } finally {
      rmSync(lock, { recursive: true });
    }
  };
  const own = (shelf, owner) => shelf.memories.filter((one) => same(one.owner, owner));
  const find = (shelf, owner, id) => {
    const found = own(shelf, owner).find((one) => one.id === id);
    if (found === undefined) throw new Error('there is no such memory');
    return found;
  };
  const shown = ({ id, text, from, isOver }) => ({ id, text, own: from === 'user', current: !isOver });
  return {
    remember: (owner, { text, from }) =>
      change((shelf) => {
        const id = randomUUID();
        if (from === 'user') supersede(own(shelf, owner), text);
        shelf.memories.push({ id, owner, text, from });
        return id;
      }),
    async recall(owner, query, limit) {
      const ranked = own(read(), owner)
        .map((one) => ({ one, score: score(query, one) }))
        .filter(({ score: value }) => value > 0)
        .sort((a, b) => b.score - a.score);
      return ranked.slice(0, limit).map(({ one }) => shown(one));
    },
    list: async (owner) => own(read(), owner).map(shown),
    read: async (owner, id) => find(read(), owner, id).text,
    append: (owner, id, line) =>
      change((shelf) => {
        find(shelf, owner, id).text += `\n${line}`;
      }),
    replace: (owner, id, text) =>
      change((shelf) => {
        find(shelf, owner, id).text = text;
      }),
    forget: (owner, id) =>
      change((shelf) => {
        const found = find(shelf, owner, id);
        shelf.memories = shelf.memories.filter((one) => one !== found);
      }),
    forgetUser: (owner) =>
      change((shelf) => {
        shelf.memories = shelf.memories.filter((one) => !same(one.owner, owner));
      }),
    compact: async () => {},
    state: (owner, statement) =>
      change((shelf) => {
        shelf.statements.push({ owner, ...statement, recordedAt: new Date().toISOString() });
      }),
    async ask(owner, { attribute, asOf = '9999', knownAt = '9999' }) {
      const known = read().statements.filter(
        (one) => same(one.owner, owner) && one.attribute === attribute && one.recordedAt <= knownAt,
      );
      const begun = known.filter(({ validFrom }) => validFrom <= asOf);
      const latest = begun.sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0];
      return latest === undefined ? [] : [latest.value];
    },
    close: async () => {},
  };
}

/** A lock of a process that was killed is taken over. */
async function take(lock) {
  for (;;) {
    try {
      mkdirSync(lock);
      const to = openSync(join(lock, 'pid'), 'w');
      writeSync(to, String(process.pid));
      closeSync(to);
      return;
    } catch {
      if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
      await sleep(1 + 4 * Math.random());
    }
  }
}

function isAbandoned(lock) {
  try {
    const pid = Number(readFileSync(join(lock, 'pid'), 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Topics that have one value. */
const topics = [/\blive\b|moved to/, /work at/, /phone number/, /favourite colour/];

function supersede(memories, text) {
  const topic = topics.find((pattern) => pattern.test(text));
  if (topic === undefined) return;
  for (const one of memories) if (one.from === 'user' && topic.test(one.text)) one.isOver = true;
}

function score(query, { text, from, isOver }) {
  const topic = topics.find((pattern) => pattern.test(query));
  const words = wordsOf(text);
  const common = [...wordsOf(query)].filter((word) => words.has(word)).length + (topic?.test(text) ? 3 : 0);
  return common * (from === 'user' ? 100 : 1) * (isOver ? 0.1 : 1);
}

function wordsOf(text) {
  return new Set((text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).map((word) => word.replace(/(s|ing|ed)$/, '')));
}
