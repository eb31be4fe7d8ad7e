import { StartUpError } from '@memhall/core';
import {
  applyEdits,
  type FormattingOptions,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  printParseErrorCode,
} from 'jsonc-parser';

const byteOrderMark = '\uFEFF';

/** Reads JSON with comments. Throws StartUpError if the file is not an object. */
export function readJson(file: string, text: string): { [member: string]: unknown } {
  const errors: ParseError[] = [];
  const found: unknown = parse(withoutMark(text) || '{}', errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw new StartUpError(
      `${file} is not valid JSON (${printParseErrorCode(error.error)} in line ${line}). Correct it, then run the command again.`,
    );
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new StartUpError(`${file} is not a JSON object. Correct it, then run the command again.`);
  return found as { [member: string]: unknown };
}

/** Sets or removes (undefined) one member. Everything else keeps its text, comments included. */
export function editJson(text: string, path: JSONPath, value: unknown): string {
  const own = withoutMark(text);
  const mark = own === text ? '' : byteOrderMark;
  if (own.trim() === '') return value === undefined ? text : `${mark}${inNewFile(path, value)}`;
  const formattingOptions = formattingOf(own);
  return mark + applyEdits(own, modify(own, path, value, { formattingOptions }));
}

function inNewFile(path: JSONPath, value: unknown): string {
  const whole = path.reduceRight<unknown>((inner, name) => (name === -1 ? [inner] : { [name]: inner }), value);
  return `${JSON.stringify(whole, null, 2)}\n`;
}

function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
