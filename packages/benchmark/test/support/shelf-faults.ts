/** A mistake that a system could make, as a change of the text of the shelf. */
export interface ShelfFault {
  name: string;
  find: string;
  put: string;
  /** Cases that have to fail. */
  caughtBy: readonly string[];
}

export const shelfFaults: readonly ShelfFault[] = [
  {
    name: 'shows the memories of other users of the tenant',
    find: 'one.tenant === other.tenant && one.user === other.user',
    put: 'one.tenant === other.tenant',
    caughtBy: ['isolation/users', 'isolation/ids', 'erasure/user'],
  },
  {
    name: 'matches users by the beginning of their ids',
    find: 'one.user === other.user',
    put: 'one.user.startsWith(other.user)',
    caughtBy: ['isolation/users'],
  },
  {
    name: 'takes a star for everybody',
    find: 'one.user === other.user',
    put: "(one.user === other.user || other.user === '*')",
    caughtBy: ['isolation/patterns'],
  },
  {
    name: 'shows the memories of a user of the same name in another tenant',
    find: 'one.tenant === other.tenant && ',
    put: '',
    caughtBy: ['isolation/tenants'],
  },
  {
    name: 'joins tenant and user with a colon',
    find: 'one.tenant === other.tenant && one.user === other.user',
    put: "[one.tenant, one.user].join(':') === [other.tenant, other.user].join(':')",
    caughtBy: ['isolation/joined'],
  },
  {
    name: 'changes and deletes by id without regard to the user',
    find: 'own(shelf, owner).find(',
    put: 'shelf.memories.find(',
    caughtBy: ['isolation/ids'],
  },
  {
    name: 'writes without a lock',
    find: 'await take(lock);\n    try {\n      const shelf = read();',
    put: 'mkdirSync(lock, { recursive: true });\n    try {\n      const shelf = read();',
    caughtBy: ['updates/callers', 'updates/processes', 'updates/record'],
  },
  {
    name: 'locks callers of one process only',
    find: "const lock = join(directory, 'lock');",
    put: "const lock = join(directory, ['lock', process.pid].join('-'));",
    caughtBy: ['updates/processes'],
  },
  {
    name: 'acknowledges before it writes to disk',
    find: '      write(shelf);\n',
    put: '      clearTimeout(globalThis.later);\n      globalThis.shelf = shelf;\n      globalThis.later = setTimeout(() => write(globalThis.shelf), 3600_000);\n',
    caughtBy: ['durability/writes'],
  },
  {
    name: 'only hides what was deleted',
    find: 'shelf.memories = shelf.memories.filter((one) => one !== found);',
    put: "found.owner = { tenant: 'deleted', user: 'deleted' };",
    caughtBy: ['erasure/rows', 'erasure/files'],
  },
  {
    name: 'keeps a history of deleted texts',
    find: 'shelf.memories = shelf.memories.filter((one) => one !== found);',
    put: '(shelf.history ??= []).push(Buffer.from(found.text).toString("base64"));\n        shelf.memories = shelf.memories.filter((one) => one !== found);',
    caughtBy: ['erasure/rows', 'erasure/files'],
  },
  {
    name: 'deletes nothing',
    find: 'shelf.memories = shelf.memories.filter((one) => one !== found);',
    put: '',
    caughtBy: ['erasure/recall', 'erasure/rows', 'durability/deletes'],
  },
  {
    name: 'deletes too much',
    find: 'shelf.memories = shelf.memories.filter((one) => one !== found);',
    put: 'shelf.memories = shelf.memories.filter((one) => !same(one.owner, owner));',
    caughtBy: ['erasure/recall'],
  },
  {
    name: 'leaves a memory of a deleted user',
    find: 'shelf.memories = shelf.memories.filter((one) => !same(one.owner, owner));',
    put: 'shelf.memories = shelf.memories.filter((one, index) => index === 1 || !same(one.owner, owner));',
    caughtBy: ['erasure/user'],
  },
  {
    name: 'answers with the latest value whatever time is asked about',
    find: 'validFrom <= asOf',
    put: "validFrom <= '9999'",
    caughtBy: ['time/as-of'],
  },
  {
    name: 'takes what was told last for what is true now',
    find: '(a.validFrom < b.validFrom ? 1 : -1)',
    put: '(a.recordedAt < b.recordedAt ? 1 : -1)',
    caughtBy: ['time/as-of'],
  },
  {
    name: 'knows earlier what it was told later',
    find: 'one.recordedAt <= knownAt',
    put: "one.recordedAt <= '9999'",
    caughtBy: ['time/known-at'],
  },
  {
    name: 'keeps the old text when one is replaced',
    find: 'find(shelf, owner, id).text = text;',
    put: 'shelf.memories.push({ ...find(shelf, owner, id), id: randomUUID(), text });',
    caughtBy: ['stale/replaced'],
  },
  {
    name: 'answers with stale statements',
    find: 'supersede(own(shelf, owner), text);',
    put: '{ void supersede; }',
    caughtBy: ['stale/superseded'],
  },
  {
    name: 'shows what a page said as the word of the user',
    find: "own: from === 'user'",
    put: 'own: true',
    caughtBy: ['poisoning/marked'],
  },
  {
    name: 'shows ordinary statements as the words of somebody else',
    find: "from === 'user', current",
    put: "from === 'user' && !/ignore/i.test(text), current",
    caughtBy: ['poisoning/marked'],
  },
  {
    name: 'lets pages come before the user',
    find: "(from === 'user' ? 100 : 1)",
    put: "(from === 'user' ? 1 : 100)",
    caughtBy: ['poisoning/outranked'],
  },
  {
    name: 'splits texts at line breaks',
    find: 'shelf.memories.push({ id, owner, text, from });',
    put: "for (const line of text.split('\\n')) shelf.memories.push({ id, owner, text: line, from });",
    caughtBy: ['poisoning/data'],
  },
];
