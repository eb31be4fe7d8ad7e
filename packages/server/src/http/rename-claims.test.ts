import { describe, expect, it } from 'vitest';
import { toIdentity } from './identity.js';
import { renameClaims } from './rename-claims.js';

describe('claims under the names of an identity provider', () => {
  const entra = new Map(Object.entries({ tenant_id: 'tid', user_id: 'oid', roles: 'roles' }));
  const payload = { tid: 'contoso', oid: 'ann', sub: 'pairwise', roles: ['admin', 'Files.Read'] };

  it('become ours', () => {
    expect(toIdentity(renameClaims(payload, entra))).toMatchObject({
      tenantId: 'contoso',
      userId: 'ann',
      roles: ['admin'],
    });
  });

  it('are the only ones that count', () => {
    const forged = { ...payload, tenant_id: 'fabrikam', user_id: 'bob' };
    expect(toIdentity(renameClaims(forged, entra))).toMatchObject({ tenantId: 'contoso', userId: 'ann' });
    const { tid: _, oid: __, ...without } = forged;
    expect(() => toIdentity(renameClaims(without, entra))).toThrow('tenant_id');
    expect(toIdentity(renameClaims({ ...without, tid: 'contoso' }, entra)).userId).toBeNull();
  });

  it('can be nested, or have dots in their names', () => {
    const names = new Map([
      ['tenant_id', 'https://id.example/tenant'],
      ['roles', 'realm_access.roles'],
    ]);
    const nested = { 'https://id.example/tenant': 't1', realm_access: { roles: ['service'] }, sub: 'u1' };
    expect(toIdentity(renameClaims(nested, names))).toMatchObject({ tenantId: 't1', userId: 'u1', roles: ['service'] });
    for (const source of ['__proto__.x', 'constructor.name', 'realm_access.roles.length', 'sub.length', '.', 'none'])
      expect(renameClaims(nested, new Map([['agent_id', source]]))).not.toHaveProperty('agent_id');
  });
});
