import { BlockList, isIP } from 'node:net';

/** One setting: its sources, its allowed values, its default and its description. */
export interface Setting<T> {
  env: string;
  /** Option of `memhall serve`, such as `--port <number>`. */
  flag?: string;
  /** Shown in the help and the reference instead of the default if that is not a plain value. */
  defaultText?: string;
  default: T;
  description: string;
  /** Never printed. */
  secret?: boolean;
  /** What precedes the path of a file or directory in the value; '' if the value is a path. */
  pathAfter?: string;
  /** JSON Schema of the value in a configuration file. */
  schema: object;
  /** Throws an Error whose message completes "MEMHALL_X …". */
  parse(text: string): T;
}

type Options<T> = Omit<Setting<T>, 'parse' | 'default' | 'schema'>;

const textSchema = { type: 'string', minLength: 1 };
const portRange = { min: 0, max: 65_535 };

export function text(options: Options<string> & { default: string }): Setting<string> {
  return { ...options, schema: textSchema, parse: nonEmpty };
}

export function optionalText(options: Options<string | undefined>): Setting<string | undefined> {
  return { ...options, default: undefined, schema: textSchema, parse: nonEmpty };
}

export function integer(options: Options<number> & { default: number; min: number; max: number }): Setting<number> {
  const { min, max, ...setting } = options;
  const schema = { type: 'integer', minimum: min, maximum: max };
  return { ...setting, schema, parse: (input) => parseInteger(input, { min, max }) };
}

/** A port; `off` is parsed as undefined. */
export function optionalPort(options: Options<number | undefined> & { default: number }): Setting<number | undefined> {
  const schema = { anyOf: [{ type: 'integer', minimum: portRange.min, maximum: portRange.max }, { const: 'off' }] };
  return { ...options, schema, parse: (input) => (input === 'off' ? undefined : parseInteger(input, portRange)) };
}

export function choice<const C extends string>(
  options: Options<C> & { default: C; choices: readonly C[] },
): Setting<C> {
  return {
    ...options,
    schema: { enum: options.choices },
    parse(input) {
      const found = options.choices.find((allowed) => allowed === input);
      if (found === undefined) throw new Error(`must be one of ${options.choices.join(', ')}`);
      return found;
    },
  };
}

/** One of the choices, or `<prefix>:<path>`. */
export function choiceOrPath<const C extends string, const P extends string>(
  options: Options<C | `${P}:${string}`> & { default: C; choices: readonly C[]; prefix: P },
): Setting<C | `${P}:${string}`> {
  const start = `${options.prefix}:` as const;
  return {
    ...options,
    pathAfter: start,
    schema: { anyOf: [{ enum: options.choices }, { type: 'string', pattern: `^${start}.` }] },
    parse(input) {
      const found = options.choices.find((allowed) => allowed === input);
      if (found !== undefined) return found;
      if (input.startsWith(start) && input.length > start.length) return `${start}${input.slice(start.length)}`;
      throw new Error(`must be one of ${options.choices.join(', ')} or ${start}<directory>`);
    },
  };
}

export function flag(options: Options<boolean> & { default: boolean }): Setting<boolean> {
  return {
    ...options,
    schema: { type: 'boolean' },
    parse(input) {
      if (input === 'true' || input === 'false') return input === 'true';
      throw new Error('must be true or false');
    },
  };
}

/** Pairs such as `a=x,b=y`, whose names are among the allowed ones. */
export function mapping<const N extends string>(
  options: Options<ReadonlyMap<N, string>> & { names: readonly N[] },
): Setting<ReadonlyMap<N, string>> {
  const properties = Object.fromEntries(options.names.map((name) => [name, textSchema]));
  const schema = { type: 'object', additionalProperties: false, properties };
  return { ...options, default: new Map(), schema, parse: (input) => parseMapping(input, options.names) };
}

/** True only if the value is exactly `true`. Any other value is false, not an error. */
export function exactFlag(options: Options<boolean>): Setting<boolean> {
  return { ...options, default: false, schema: { type: 'boolean' }, parse: (input) => input === 'true' };
}

/** IP addresses and networks such as `10.0.0.0/8`, separated by commas. None by default. */
export function networks(options: Options<BlockList>): Setting<BlockList> {
  const schema = { type: 'array', items: textSchema, minItems: 1 };
  return { ...options, default: new BlockList(), schema, parse: parseNetworks };
}

function nonEmpty(input: string): string {
  if (input.trim() === '') throw new Error('must not be empty');
  return input;
}

function parseMapping<N extends string>(input: string, names: readonly N[]): Map<N, string> {
  const pairs = new Map<N, string>();
  for (const pair of input.split(',')) {
    const at = pair.indexOf('=');
    const name = names.find((allowed) => allowed === pair.slice(0, Math.max(at, 0)).trim());
    const value = pair.slice(at + 1).trim();
    if (name === undefined || value === '' || pairs.has(name)) {
      throw new Error(`must be pairs such as ${names[0]}=x,${names[1]}=y, each name once, from ${names.join(', ')}`);
    }
    pairs.set(name, value);
  }
  return pairs;
}

function parseNetworks(input: string): BlockList {
  const list = new BlockList();
  for (const entry of input.split(',')) {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || rest.length > 0 || !isPrefix) {
      throw new Error('must be a comma-separated list of IP addresses and networks such as 10.0.0.0/8');
    }
    list.addSubnet(address, bits === undefined ? most : Number(bits), family);
  }
  return list;
}

function parseInteger(input: string, { min, max }: { min: number; max: number }): number {
  const value = Number(input);
  if (!/^\d+$/.test(input) || value < min || value > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`);
  }
  return value;
}
