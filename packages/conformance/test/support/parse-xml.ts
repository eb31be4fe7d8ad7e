export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const tag = /<(?:(\/)([\w-]+)|([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/)?)>/y;

/** Parses the subset of XML 1.0 that the reports use. Throws on anything else. */
export function parseXml(source: string): XmlElement {
  const fault = forbidden.exec(source);
  if (fault !== null) throw new Error(`invalid XML character at ${fault.index}`);
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  let at = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(source)?.[0].length ?? 0;
  while (at < source.length) at += source[at] === '<' ? readTag(source, at, open) : readText(source, at, open);
  const [root, ...others] = document.children;
  if (open.length !== 1 || root === undefined || others.length > 0 || document.text.trim() !== '') {
    throw new Error('there must be exactly one closed root element');
  }
  return root;
}

function readText(source: string, at: number, open: XmlElement[]): number {
  const text = source.slice(at).split('<', 1)[0] ?? '';
  if (text.includes(']]>')) throw new Error('"]]>" in text');
  (open.at(-1) as XmlElement).text += resolveReferences(text);
  return text.length;
}

function readTag(source: string, at: number, open: XmlElement[]): number {
  tag.lastIndex = at;
  const match = tag.exec(source);
  if (match === null) throw new Error(`no tag at ${at}: ${source.slice(at, at + 40)}`);
  const [whole, closing, closed, name = '', attributes = '', isEmpty] = match;
  const parent = open.at(-1) as XmlElement;
  if (closing === undefined) {
    const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
    parent.children.push(element);
    if (isEmpty === undefined) open.push(element);
  } else {
    if (parent.name !== closed) throw new Error(`${closed} closes ${parent.name}`);
    open.pop();
  }
  return whole.length;
}

function attributesOf(source: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of source.matchAll(/([\w-]+)="([^"]*)"/g)) {
    if (name in attributes) throw new Error(`duplicate attribute ${name}`);
    // XML parsers turn line breaks and tabs in attributes into spaces, so they must be written as references.
    if (/[\n\t]/.test(value)) throw new Error(`whitespace in the attribute ${name} would be lost`);
    attributes[name] = resolveReferences(value);
  }
  return attributes;
}

function resolveReferences(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (whole, code?: string, name?: string) => {
    if (code !== undefined) return String.fromCodePoint(Number(code));
    const character = entities[name ?? ''];
    if (character === undefined) throw new Error(`"${whole}" is not a reference`);
    return character;
  });
}
