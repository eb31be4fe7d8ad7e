import { run } from './processes.mjs';

/**
 * A bridge on this machine with one network namespace for each database server. What leaves the machine cannot pass it: the addresses
 * are those of documentation, and nothing is forwarded.
 */
export class Network {
  #id;
  #prefix;

  /** @param {string} id four hexadecimal digits */
  constructor(id) {
    this.#id = id;
    // 198.18.0.0/15 is reserved for tests.
    this.#prefix = `198.18.${Number.parseInt(id, 16) % 250}`;
    this.host = `${this.#prefix}.1`;
    const bridge = this.#bridge;
    run('ip', ['link', 'add', bridge, 'type', 'bridge']);
    run('ip', ['addr', 'add', `${this.host}/24`, 'dev', bridge]);
    run('ip', ['link', 'set', bridge, 'up']);
  }

  get #bridge() {
    return `mh${this.#id}`;
  }

  /** Returns the name of the namespace of this number, and its address. @param {number} number */
  add(number) {
    const name = `mh${this.#id}-${number}`;
    const address = `${this.#prefix}.${10 + number}`;
    const outside = `mh${this.#id}v${number}`;
    run('ip', ['netns', 'add', name]);
    run('ip', ['link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name]);
    run('ip', ['link', 'set', outside, 'master', this.#bridge, 'up']);
    /** @param {string[]} args */
    const inside = (...args) => run('ip', ['-n', name, ...args]);
    inside('addr', 'add', `${address}/24`, 'dev', 'eth0');
    inside('link', 'set', 'eth0', 'up');
    inside('link', 'set', 'lo', 'up');
    return { name, address };
  }

  /** Drops everything that goes to or comes from a namespace, without a word to the other side. @param {string} name */
  cut(name) {
    const rules = `table inet cut {
      chain in { type filter hook input priority 0; policy drop; iif "lo" accept; }
      chain out { type filter hook output priority 0; policy drop; oif "lo" accept; }
    }`;
    run('ip', ['netns', 'exec', name, 'nft', '-f', '-'], { input: rules });
  }

  /** @param {string} name */
  mend(name) {
    run('ip', ['netns', 'exec', name, 'nft', 'flush', 'ruleset']);
  }

  /** @param {readonly string[]} names */
  remove(names) {
    for (const name of names) run('ip', ['netns', 'delete', name]);
    run('ip', ['link', 'delete', this.#bridge]);
  }
}
