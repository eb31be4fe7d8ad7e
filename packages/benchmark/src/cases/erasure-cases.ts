import type { StoredText } from '../place/search-stored.js';
import { type Case, type CaseContext, expectNone, Finding, sentenceWith, somebody, somebodyElse } from './case.js';

export const erasureCases: readonly Case[] = [
  {
    id: 'erasure/recall',
    title: 'A deleted memory is not recalled or listed, and the others are',
    needs: ['forget'],
    async run(context) {
      const { session, words } = await deleteOne(context);
      const found = [
        ...(await session.list(somebody)),
        ...(await session.recall(somebody, `What is ${words.deleted}?`, 20)),
      ];
      const texts = found.map(({ text }) => text).join('\n');
      expectNone(
        [
          ...(texts.includes(words.deleted) ? ['the deleted memory is found'] : []),
          ...(texts.includes(words.kept) ? [] : ['the other memory of the user is gone']),
        ],
        'deleting did not remove exactly one memory',
      );
      return undefined;
    },
  },
  {
    id: 'erasure/rows',
    title: 'No table and no file has the text of a deleted memory in live data',
    needs: ['forget'],
    async run(context) {
      const { session, words } = await deleteOne(context);
      await session.settle();
      await session.close();
      findNothing(await context.searchRows([words.deleted, words.kept]), words);
      return undefined;
    },
  },
  {
    id: 'erasure/user',
    title: 'After a user was deleted, no live data has any of their texts, and other users lost nothing',
    needs: ['users', 'forgetUser'],
    run: deleteUser,
  },
  {
    id: 'erasure/files',
    title: 'After the clean-up that the documentation names, no byte of any file has the text of a deleted memory',
    needs: ['forget', 'compact'],
    async run(context) {
      const { session, words } = await deleteOne(context);
      await session.settle();
      await session.compact();
      await session.close();
      findNothing(await context.searchFiles([words.deleted, words.kept]), words);
      return undefined;
    },
  },
];

interface Words {
  deleted: string;
  kept: string;
}

/** Stores and deletes one memory among others; it was also recalled and, where that is possible, changed before. */
async function deleteOne(context: CaseContext) {
  const session = await context.open();
  const words: Words = { deleted: context.random.canary(), kept: context.random.canary() };
  await session.remember(somebody, { text: sentenceWith(words.kept), from: 'user' });
  const id = await session.remember(somebody, { text: sentenceWith(words.deleted), from: 'user', session: 'talk' });
  await session.settle();
  await session.recall(somebody, `What is ${words.deleted}?`, 5);
  if (context.adapter.claims.replace.claimed)
    await session.replace(somebody, id, `${sentenceWith(words.deleted)} It starts in May.`);
  await session.settle();
  const before = (await session.list(somebody)).map(({ text }) => text).join('\n');
  if (!before.includes(words.deleted)) throw new Finding('the memory was not stored in the first place');
  await session.forget(somebody, id);
  return { session, words };
}

/** The word that was kept has to be found, else the search looked in the wrong places. */
function findNothing(found: readonly StoredText[], { deleted, kept }: Words): void {
  if (!found.some(({ word }) => word === kept))
    throw new Error('The search did not find a text that is stored, so it proves nothing.');
  const places = found.filter(({ word }) => word === deleted).map(({ place }) => place);
  expectNone([...new Set(places)], 'the deleted text is still stored');
}

async function deleteUser(context: CaseContext): Promise<undefined> {
  const session = await context.open();
  const words = Array.from({ length: 4 }, () => context.random.canary());
  const kept = context.random.canary();
  for (const [index, word] of words.entries())
    await session.remember(somebody, { text: sentenceWith(word), from: 'user', session: `talk-${index % 2}` });
  await session.remember(somebodyElse, { text: sentenceWith(kept), from: 'user' });
  await session.settle();
  await session.forgetUser(somebody);
  await session.settle();
  const left = (await session.list(somebody)).map(({ text }) => text).join('\n');
  const others = (await session.list(somebodyElse)).map(({ text }) => text).join('\n');
  expectNone(
    [
      ...words.filter((word) => left.includes(word)).map((word) => `${word} is still listed`),
      ...(others.includes(kept) ? [] : ['another user lost a memory']),
    ],
    'deleting the user did not remove exactly what is theirs',
  );
  const isOpaque = context.adapter.opaque !== undefined && context.adapter.claims.compact.claimed;
  if (isOpaque) await session.compact();
  await session.close();
  const found = await (isOpaque ? context.searchFiles([...words, kept]) : context.searchRows([...words, kept]));
  if (!found.some(({ word }) => word === kept))
    throw new Error('The search did not find a text that is stored, so it proves nothing.');
  expectNone(
    [...new Set(found.filter(({ word }) => word !== kept).map(({ place }) => place))],
    'texts of the deleted user are still stored',
  );
  return undefined;
}
