import { signToken } from '../../packages/server/dist/cli/sign-token.js';
import { Zipf } from './zipf.mjs';

/** Memories of each user at the start. */
export const memoriesPerUser = 500;
export const usersPerTenant = 2;

/**
 * @typedef {object} Member
 * @property {string} tenant
 * @property {string} user
 * @property {string} token
 */

/** @param {number} memories */
export function tenantsFor(memories) {
  return Math.max(1, Math.ceil(memories / memoriesPerUser / usersPerTenant));
}

/** @param {number} tenant number of the tenant, 0 is the busiest */
export function tenantName(tenant) {
  return `tenant-${tenant}`;
}

/** @param {number} user */
export function userName(user) {
  return `user-${user}`;
}

/** All users of all tenants. Tenants are picked by Zipf's law, users of a tenant evenly. */
export class Population {
  /** @type {Member[]} */
  members = [];
  #zipf;

  /**
   * @param {number} tenants
   * @param {number} exponent
   */
  constructor(tenants, exponent) {
    this.#zipf = new Zipf(tenants, exponent);
    this.tenants = tenants;
  }

  /** @param {string} secret */
  async sign(secret) {
    for (let number = 0; number < this.tenants * usersPerTenant; number++) {
      const tenant = tenantName(Math.floor(number / usersPerTenant));
      const user = userName(number % usersPerTenant);
      const token = await signToken(secret, { tenant, user, ttlSeconds: 24 * 3600 });
      this.members.push({ tenant, user, token });
    }
  }

  /**
   * Returns the number of a tenant, and one of its users.
   * @param {() => number} random
   */
  pick(random) {
    const tenant = this.#zipf.pick(random());
    const number = tenant * usersPerTenant + Math.floor(random() * usersPerTenant);
    return { tenant, member: /** @type {Member} */ (this.members[number]) };
  }
}
