import { expect, it } from 'vitest';
import { readMigrations } from './migrations.js';

it('numbers migrations without gaps or duplicates', async () => {
  const names = (await readMigrations()).map(({ name }) => name);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
});
