import type { Setting } from '../setting.js';

export interface IssuerSetting {
  issuer: string;
  /** null: any. */
  tenants: readonly string[] | null;
}

const placeholder = '{tenant}';
const idPattern = /^[A-Za-z0-9._:@-]{1,128}$/;

/** Authorization servers with the tenants they may speak for, such as `https://id.example.com=acme|globex`. */
export function issuers(
  options: Omit<Setting<readonly IssuerSetting[]>, 'parse' | 'default' | 'schema'>,
): Setting<readonly IssuerSetting[]> {
  const schema = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 };
  return { ...options, default: [], schema, parse: parseIssuers };
}

function parseIssuers(input: string): IssuerSetting[] {
  const entries = input.split(',').map((entry) => parseIssuer(entry.trim()));
  if (entries.length > 1 && entries.some(({ tenants }) => tenants === null))
    throw new Error('must list the tenants of each issuer if there are several');
  const all = entries.flatMap(expand);
  if (new Set(all.map(({ issuer }) => issuer)).size < all.length) throw new Error('must have each issuer once');
  return all;
}

function parseIssuer(entry: string): IssuerSetting {
  const [issuer = '', list = ''] = entry.split('=');
  if (issuer === '' || list === '' || entry.split('=').length !== 2)
    throw new Error('must name the tenants of each issuer, such as https://id.example.com=acme|globex');
  if (list === '*') return { issuer, tenants: null };
  const tenants = list.split('|').map((tenant) => tenant.trim());
  if (!tenants.every((tenant) => idPattern.test(tenant))) throw new Error('must have tenants that are valid ids');
  return { issuer, tenants };
}

/** An issuer with one address per tenant may speak for nobody else there. */
function expand({ issuer, tenants }: IssuerSetting): IssuerSetting[] {
  if (!issuer.includes(placeholder)) return [{ issuer, tenants }];
  if (tenants === null) throw new Error(`must list the tenants of an issuer with ${placeholder}`);
  return tenants.map((tenant) => ({ issuer: issuer.replaceAll(placeholder, tenant), tenants: [tenant] }));
}
