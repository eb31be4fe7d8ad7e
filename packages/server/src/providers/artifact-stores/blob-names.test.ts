import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredKind } from '../../ports/artifact-store.js';
import { decodePart, encodePart, fromBlobName, kindPrefix, toBlobName } from './blob-names.js';

const owner = { tenantId: 't1', userId: 'u1' };

describe('names of blobs', () => {
  it('follow the layout', () => {
    const name = (kind: StoredKind, folder: string, of: string) => toBlobName(owner, { kind, folder, name: of });
    expect(name('document', 'memory', 'projects/alpha.json')).toBe(
      'tenants/t1/users/u1/documents/memory/projects/alpha.json',
    );
    expect(name('snapshot', 'conv-1', 'snap-1')).toBe('tenants/t1/users/u1/snapshots/conv-1/snap-1.json');
    expect(name('event', '', 'evt_01')).toBe('tenants/t1/users/u1/events/evt_01.json');
    expect(name('resource', '', 'r_01')).toBe('tenants/t1/users/u1/resources/r_01.json');
    expect(name('file', '', 'r_01')).toBe('tenants/t1/users/u1/files/r_01');
    expect(name('audit', '', '000000000001')).toBe('tenants/t1/users/u1/audit/000000000001.json');
  });

  it('keep Unicode unescaped, so that long names still fit', () => {
    expect(encodePart('日記 – søndag.json')).toBe('日記 – søndag.json');
    const path = '記'.repeat(512);
    expect(toBlobName(owner, { kind: 'document', folder: 'memory', name: path })).toContain(path);
  });

  it.each([
    ['.', '~2E'],
    ['..', '~2E~2E'],
    ['...', '~2E~2E~2E'],
    ['.hidden', '~2Ehidden'],
    ['name.', 'name~2E'],
    [' a ', '~20a~20'],
    ['a/b', 'a~2Fb'],
    ['a\\b', 'a~5Cb'],
    ['%2e%2e', '~252e~252e'],
    ['a?b#c', 'a~3Fb~23c'],
    ['~', '~7E'],
    ['', '~'],
  ])('write %j as %s', (part, encoded) => {
    expect(encodePart(part)).toBe(encoded);
    expect(decodePart(encoded)).toBe(part);
  });

  it('can be read back, stay under their user, and differ for different keys', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.constantFrom('.', '..', '~', '%2E', ' ', '../..', '/', '\\', '\u0000', 'a.', '.a', '~2E'),
    );
    const key = fc.record({
      folder: part,
      name: fc.array(part, { minLength: 1, maxLength: 3 }).map((all) => all.join('/')),
    });
    fc.assert(
      fc.property(part, part, key, key, (tenantId, userId, one, other) => {
        const whose = { tenantId, userId };
        const name = toBlobName(whose, { kind: 'document', ...one });
        expect(fromBlobName(whose, 'document', name)).toEqual({ kind: 'document', ...one });
        expect(name.startsWith(kindPrefix(whose, 'document'))).toBe(true);
        expect(new URL(`http://host/${name.split('/').map(encodeURIComponent).join('/')}`).pathname).toBe(
          `/${name.split('/').map(encodeURIComponent).join('/')}`,
        );
        const same = one.folder === other.folder && one.name === other.name;
        expect(toBlobName(whose, { kind: 'document', ...other }) === name).toBe(same);
      }),
    );
  });

  it('of two users never share a prefix', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
        fc.pre(one !== other);
        const prefix = (userId: string) => kindPrefix({ tenantId: 't1', userId }, 'event');
        expect(prefix(one).startsWith(prefix(other))).toBe(false);
      }),
    );
  });

  it.each([
    'tenants/t1/users/u1/events/~zz.json',
    'tenants/t1/users/u1/events/a%2Fb.json',
    'tenants/t1/users/u1/events/evt_01',
    'tenants/t1/users/u1/events//evt.json',
    'tenants/t1/users/u2/events/evt.json',
  ])('that somebody else gave are told apart: %s', (name) => {
    expect(fromBlobName(owner, 'event', name)).toBeUndefined();
  });

  it('that are too long or not valid Unicode are rejected', () => {
    const long = { kind: 'document', folder: 'memory', name: '~'.repeat(400) } as const;
    expect(() => toBlobName(owner, long)).toThrow(/too long for the blob store, by \d+ characters/);
    expect(() => toBlobName(owner, { ...long, name: '\ud800' })).toThrow(/not valid Unicode/);
  });
});
