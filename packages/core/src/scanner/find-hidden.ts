/** A stretch of text that a person who looks at the rendered page does not see. */
interface HiddenSpan {
  start: number;
  end: number;
}

const longestElement = 2000;
const hiding =
  /display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?![.\d])|font-size\s?:\s?[01](?:px|pt|em|%)?(?![.\d])|(?:left|top|text-indent)\s?:\s?-\d{3,}|(?:height|width)\s?:\s?[01](?:px)?\s?[;"']|color\s?:\s?(?:transparent|white|#f{3}\b|#f[ef]f[ef]f[ef])|\shidden[\s>=]|aria-hidden\s?=\s?["']?true|type\s?=\s?["']text\/(?:llm|ai|prompt)/;
const shownElsewhere = /^<(?:noscript|desc|meta|comment|template)\b/;
const attribute = /\s(?:alt|title|content|aria-label|data-[a-z-]{1,20})\s?=\s?(["'])([^"'<>]{0,600})/g;

/**
 * Finds HTML comments, Markdown comments, elements that a style or an attribute hides, and attributes that are not drawn,
 * in a folded text. In order, without overlaps.
 */
export function findHidden(text: string): HiddenSpan[] {
  const spans: HiddenSpan[] = [];
  const lastCommentEnd = text.lastIndexOf('-->');
  const sign = /[<[]/g;
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    const { index } = match;
    const found =
      text.charCodeAt(index) === 0x3c ? hiddenByMarkup(text, index, lastCommentEnd) : markdownComment(text, index);
    spans.push(...found);
    sign.lastIndex = Math.max(index + 1, found.at(-1)?.end ?? 0);
  }
  return spans;
}

function hiddenByMarkup(text: string, at: number, lastCommentEnd: number): HiddenSpan[] {
  if (text.startsWith('<!--', at)) {
    return at < lastCommentEnd ? [{ start: at, end: text.indexOf('-->', at) + 3 }] : [];
  }
  const tag = /^<([a-z]{1,12})\b[^<>]{0,800}>/.exec(text.slice(at, at + 900));
  if (tag === null) return [];
  const [whole, name = ''] = tag;
  const end = at + whole.length;
  if (hiding.test(whole) || shownElsewhere.test(whole)) {
    const close = text.slice(end, end + longestElement).indexOf(`</${name}`);
    return [{ start: at, end: close < 0 ? end : end + close }];
  }
  return [...whole.matchAll(attribute)].map((match) => {
    const start = at + match.index + match[0].length - (match[2] ?? '').length;
    return { start, end: start + (match[2] ?? '').length };
  });
}

function markdownComment(text: string, at: number): HiddenSpan[] {
  const match = /^\[(?:\/\/|comment|[_^]?\/\/[_^]?)\]:\s?(?:#|<>)\s?[("'][^\n]{1,600}/.exec(text.slice(at, at + 640));
  return match === null ? [] : [{ start: at, end: at + match[0].length }];
}
