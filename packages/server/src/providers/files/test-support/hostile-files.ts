import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { docxParts, encryptedDocx, pdfFrom, pdfOf, zipOf } from './sample-files.js';

const megabyte = 1024 * 1024;

/**
 * Returns a compressed stream of so many megabytes of one repeated text, without ever having them in memory: blocks that end with a
 * full flush do not depend on each other.
 */
function deflatedMegabytes(count: number, text: string): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte, text), { finishFlush: constants.Z_FULL_FLUSH });
  const start = Buffer.from('789c', 'hex');
  const end = Buffer.from('0300', 'hex');
  return Buffer.concat([start, ...Array.from({ length: count }, () => block), end]);
}

/** A PDF of a few kilobytes whose page has so many megabytes when it is unpacked twice. */
export function nestedPdfBomb(megabytes: number): Buffer {
  return pdfOf(['x'], {
    stream: deflateSync(deflatedMegabytes(megabytes, '(walrus) Tj ')),
    filters: ['FlateDecode', 'FlateDecode'],
  });
}

const repeated = (seed: string, size: number) => seed.repeat(Math.ceil(size / seed.length)).slice(0, size);
const page = (text: string | Buffer, filters: readonly string[] = []) =>
  pdfOf(['x'], { stream: Buffer.from(text as string), filters });

const pdfs: Record<string, () => Buffer> = {
  'unpacks to 500 MB': () => nestedPdfBomb(500),
  'unpacks to 20 GB': () => nestedPdfBomb(20_000),
  'packed 100 times': () =>
    page(
      deflateSync('x'),
      Array.from({ length: 100 }, () => 'FlateDecode'),
    ),
  'a stream that is not packed': () => page(repeated('\u0001\u00ff', 100_000), ['FlateDecode']),
  'open lists': () => page(repeated('[', megabyte)),
  'saved states': () => page(repeated('q ', megabyte)),
  'open texts': () => page(repeated('(', megabyte)),
  'long words': () => page(`BT /F1 12 Tf (${repeated('walrus', megabyte)}) Tj ET`),
  'a page tree in a circle': () =>
    pdfFrom(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
  'a billion pages': () =>
    pdfFrom(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 1000000000 >>']),
  'many pages': () => pdfOf(Array.from({ length: 3000 }, (_, number) => `Page ${number}`)),
  'deep dictionaries': () =>
    pdfFrom([`<< /Type /Catalog /Pages 2 0 R /A ${'<< /A '.repeat(100_000)}`, '<< /Type /Pages /Kids [] /Count 0 >>']),
  'a table in a circle': () =>
    Buffer.from('%PDF-1.4\nxref\n0 0\ntrailer\n<< /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF'),
  'a table outside of the file': () => Buffer.from('%PDF-1.4\nstartxref\n4294967295\n%%EOF'),
  'cut in the middle': () => pdfOf(['A walrus sleeps.']).subarray(0, 300),
  'with a password': () => pdfOf(['A walrus sleeps.'], { encrypted: true }),
};

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const wordBody = (body: string) => `<w:document xmlns:w="${wordNamespace}"><w:body>${body}</w:body></w:document>`;

/** A Word document with this XML as its main part, and with further parts. */
function docxWith(xml: string | Buffer, more: Parameters<typeof zipOf>[0] = {}): Buffer {
  return zipOf({ ...docxParts([]), 'word/document.xml': { bytes: Buffer.from(xml as string) }, ...more });
}

const docxs: Record<string, () => Buffer> = {
  'unpacks to 120 MB of spaces': () => docxWith(Buffer.alloc(120 * megabyte, ' ')),
  'unpacks to 200 MB': () => docxWith(Buffer.alloc(200 * megabyte, '<w:p/>')),
  'says that it is small': () =>
    docxWith('', { 'word/document.xml': { bytes: Buffer.alloc(50 * megabyte), declared: 10 } }),
  'says that it is large': () =>
    docxWith('', { 'word/document.xml': { bytes: Buffer.from('x'), declared: 0xffffffff } }),
  'many parts': () =>
    docxWith(
      '',
      Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`word/${n}`, { bytes: Buffer.alloc(0) }])),
    ),
  'entities of entities': () => {
    const levels = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};&e${n};&e${n};">`).join('');
    return docxWith(
      `<!DOCTYPE x [<!ENTITY e0 "walrus">${levels}]>${wordBody('<w:p><w:r><w:t>&e30;</w:t></w:r></w:p>')}`,
    );
  },
  'an entity from a file': () =>
    docxWith(
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${wordBody('<w:p><w:r><w:t>&e;</w:t></w:r></w:p>')}`,
    ),
  'deep elements': () => docxWith(wordBody(`${'<w:p>'.repeat(200_000)}${'</w:p>'.repeat(200_000)}`)),
  'deep tables': () => docxWith(wordBody('<w:tbl><w:tr><w:tc>'.repeat(50_000))),
  'many paragraphs': () => docxWith(wordBody(repeated('<w:p><w:r><w:t>walrus</w:t></w:r></w:p>', 39 * 100_000))),
  'many attributes': () =>
    docxWith(wordBody(`<w:p ${Array.from({ length: 200_000 }, (_, n) => `a${n}=""`).join(' ')}/>`)),
  'broken XML': () => docxWith(repeated('<w:p><', megabyte)),
  'styles in a circle': () =>
    docxWith(wordBody('<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr></w:p>'), {
      'word/styles.xml': {
        bytes: Buffer.from(
          `<w:styles xmlns:w="${wordNamespace}"><w:style w:styleId="a"><w:basedOn w:val="a"/></w:style></w:styles>`,
        ),
      },
    }),
  'parts outside of the archive': () => docxWith(wordBody(''), { '../../../etc/walrus': { bytes: Buffer.from('x') } }),
  'cut in the middle': () => docxWith(wordBody('<w:p/>')).subarray(0, 400),
  'with a password': encryptedDocx,
};

const texts: Record<string, () => Buffer | string> = {
  'HTML, deep': () => `<html>${'<div>'.repeat(300_000)}`,
  'HTML, open tags': () => `<html>${repeated('<a href="', 2 * megabyte)}`,
  'HTML, open comments': () => `<html>${repeated('<!--', 2 * megabyte)}`,
  'HTML, entities': () => `<html>${repeated('&amp;&#x41;&', 2 * megabyte)}`,
  'HTML, a wide table': () => `<html><table><tr>${repeated('<td colspan="1000">a</td>', 2 * megabyte)}`,
  'HTML, deep lists': () => `<html>${'<ul><li>'.repeat(100_000)}`,
  'JSON, deep': () => `${'['.repeat(megabyte)}${']'.repeat(megabyte)}`,
  'JSON, many members': () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, n]))),
  'JSON, a long number': () => `[${'9'.repeat(2 * megabyte)}]`,
  'CSV, open quotes': () => repeated('a,"\n', 2 * megabyte),
  'one line': () => repeated('walrus', 2 * megabyte),
  'blank lines': () => repeated('\n', 2 * megabyte),
  'marks on one letter': () => repeated('\u0301\u0316', megabyte),
  'not UTF-8': () => Buffer.from(repeated('a\u00ff\u00fe\u00c0', 2 * megabyte), 'latin1'),
  'UTF-16 with halves of characters': () =>
    Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.alloc(megabyte, Buffer.from('3dd8', 'hex'))]),
  secrets: () => repeated('A_TOKEN=a= password is b ', 2 * megabyte),
};

/** Files that have broken readers of files, made when they are needed. */
export const hostileFiles: readonly { name: string; make: () => Buffer }[] = Object.entries({
  pdfs,
  docxs,
  texts,
}).flatMap(([kind, files]) =>
  Object.entries(files).map(([name, make]) => ({
    name: `${kind}: ${name}`,
    make: () => Buffer.from(make() as string),
  })),
);
