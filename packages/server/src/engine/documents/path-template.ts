export type PathVariables = Readonly<Record<string, string>>;

/**
 * A path with variables, such as `{project_id}.json`. A variable never matches a `/`, except one with an asterisk: `{path*}` stands for
 * one or more parts.
 */
export class PathTemplate {
  readonly variables: readonly string[];
  /** Texts and variables in turn; the latter with their asterisk. */
  readonly #pieces: readonly string[];
  readonly #expression: RegExp;

  constructor(readonly text: string) {
    this.#pieces = text.split(variable);
    this.variables = this.#pieces.filter((_, index) => index % 2 === 1).map(nameOf);
    // At most two variables, so matching takes at most quadratic time in a path of at most 512 characters.
    const source = this.#pieces.map((piece, index) => {
      if (index % 2 === 0) return escapeExpression(piece);
      return piece.endsWith('*') ? '(.+?)' : '([^/]+?)';
    });
    this.#expression = new RegExp(`^${source.join('')}$`, 'u');
  }

  match(path: string): PathVariables | undefined {
    const found = this.#expression.exec(path);
    if (found === null) return undefined;
    // No prototype: a variable may have the name of an inherited member.
    const values: Record<string, string> = Object.create(null);
    for (const [index, name] of this.variables.entries()) {
      const value = found[index + 1] ?? '';
      if ((values[name] ?? value) !== value) return undefined;
      values[name] = value;
    }
    return values;
  }

  /** Returns undefined if a variable has no value. */
  fill(values: PathVariables): string | undefined {
    if (!this.variables.every((name) => Object.hasOwn(values, name))) return undefined;
    return this.#pieces.map((piece, index) => (index % 2 === 1 ? values[nameOf(piece)] : piece)).join('');
  }
}

const maxVariables = 2;
const variable = /\{(\w+\*?)\}/;

function nameOf(piece: string): string {
  return piece.replace('*', '');
}

/** Returns why a text is not a valid template, or undefined. */
export function findTemplateFault(text: string): string | undefined {
  const pieces = text.split(variable);
  if (pieces.filter((_, index) => index % 2 === 0).some((piece) => /[{}]/.test(piece))) return 'has an unmatched brace';
  if (pieces.length > 2 * maxVariables + 1) return `has more than ${maxVariables} variables`;
  if (pieces.some((piece, index) => index % 2 === 0 && piece === '' && index > 0 && index < pieces.length - 1)) {
    return 'has two variables with nothing between them';
  }
  return undefined;
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
