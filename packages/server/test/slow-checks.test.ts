import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from './support/databases.js';
import { add, documentPath, patch } from './support/documents.js';
import { useServer } from './support/server.js';

const document = ['user', 'list.json'] as const;
const names = Array.from({ length: 450 }, (_, index) => `f${index}`);
/** A check of 60,000 entries takes more steps than the event loop may, and seconds in a thread. */
const schema = {
  type: 'object',
  properties: {
    entries: {
      type: 'array',
      maxItems: 60_000,
      items: { allOf: [{ properties: Object.fromEntries(names.map((name) => [name, {}])) }] },
    },
  },
};
const entries = (count: number) => Array.from({ length: count }, () => ({}));

describeEachDatabase('a check that takes seconds', (database) => {
  const server = useServer(database);

  beforeAll(async () => {
    const token = await server().token({ roles: ['admin'] });
    const put = async (path: string, body: unknown) => {
      const answer = await server().call({ method: 'PUT', path, body, token, headers: { 'if-none-match': '*' } });
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
    };
    await put('/v1/tenants/t1/schemas/list/1.0.0', { schema });
    const binding = {
      ...{ binding_id: 'list', namespace: 'user', path: 'list.json' },
      ...{ schema_id: 'list', schema_version: '1.0.0' },
    };
    await put('/v1/tenants/t1/profiles/lists', {
      document_bindings: [binding],
      writable_path_rules: { list: ['/entries'] },
    });
  });

  const replace = (value: unknown, user = 'u1') =>
    patch(server(), { user, document, binding: 'list', profile: 'lists', ops: [add('/entries', value)] });

  it('lets others go on, the same user too, and sees what they changed', async () => {
    const answered: string[] = [];
    const note = <T>(name: string, answer: Promise<T>) => answer.finally(() => answered.push(name));
    const slow = note('slow', replace(entries(60_000)));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const other = await note('other', patch(server(), { ops: [add('/preferences/-', 'Tea')] }));
    const same = await note('same', replace(entries(1)));
    expect([other.status, same.status, (await slow).status]).toEqual([200, 200, 200]);
    expect(answered).toEqual(['other', 'same', 'slow']);
    const path = documentPath('u1', document);
    const { body } = await server().call({ path });
    expect(body.document.content.entries).toHaveLength(60_000);
    const { body: history } = await server().call({ path: `${path}/history` });
    expect(history.versions).toHaveLength(2);
  });

  it('refuses what does not match, as a quick one does', async () => {
    const { status, body } = await replace(entries(60_001));
    expect({ status, code: body.error?.code ?? body.code }).toEqual({ status: 422, code: 'SCHEMA_VALIDATION_FAILED' });
  });
});
