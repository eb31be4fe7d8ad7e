import { isId } from '@memhall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role } from '../caller.js';
import { isNamespaceName } from '../namespace-names.js';
import { grantsOf, type NamespaceClaims, noClaims } from './namespace-grants.js';

const none: NamespaceClaims = noClaims;

function grantsFor(userId: string, claims: Partial<NamespaceClaims> = {}, roles: Role[] = []) {
  const actor = { userId, serviceId: null, roles };
  return grantsOf({ tenantId: 't', userId, actor, operation: 'test', requestId: 'r' }, { ...none, ...claims });
}

describe('namespaces of a token', () => {
  it('are valid and belong to one user only, for any id', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9._:@-]{1,128}$/);
    fc.assert(
      fc.property(id, id, (one, other) => {
        const [first] = grantsFor(one);
        const [second] = grantsFor(other);
        expect(isNamespaceName(first?.name)).toBe(true);
        expect(first?.name === second?.name).toBe(one === other);
        // A name with a digest can never be an id.
        expect(isId(first?.name.slice('workspace:'.length))).toBe(!one.includes('@'));
      }),
    );
  });

  it('of the organisation are writable with role admin or org_root, but not as a service', () => {
    const writable = (claims: Partial<NamespaceClaims>, roles: Role[] = []) =>
      grantsFor('u', { orgId: 'o', ...claims }, roles).find(({ kind }) => kind === 'org')?.isWritable;
    expect([writable({}), writable({}, ['service'])]).toEqual([false, false]);
    expect([writable({ isOrgRoot: true }), writable({}, ['admin'])]).toEqual([true, true]);
  });

  it('granted by name are read-only and not duplicated', () => {
    const grants = grantsFor('u', {
      teamIds: ['t'],
      namespaces: ['team:t', 'custom:x', 'custom:x', 'workspace:other'],
    });
    expect(grants).toEqual([
      { name: 'workspace:u', kind: 'workspace', isWritable: true },
      { name: 'team:t', kind: 'team', isWritable: true },
      { name: 'custom:x', kind: 'custom', isWritable: false },
      { name: 'workspace:other', kind: 'custom', isWritable: false },
    ]);
  });
});
