import { describe, expect, it } from 'vitest';
import { mediaTypes } from './detect-file.js';
import { readBytes } from './read-bytes.js';
import { docxOf, docxParts, encryptedDocx, pdfOf, zipOf } from './test-support/sample-files.js';

const read = (content: Buffer | string) => readBytes(Buffer.from(content as string), () => undefined);

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf16BigEndian = (text: string) => utf16(text).swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** What it says: Größe, Привет мир, Zażółć gęślą jaźń, 你好世界, こんにちは. */
const otherEncodings = {
  'code page 437': Buffer.from('4472943a20477294e165', 'hex'),
  'Windows-1251': Buffer.from('cff0e8e2e5f220ece8f02c20eae0ea20e4e5ebe03f', 'hex'),
  'Windows-1251 between much else': latin1(
    `<html><body>${'<br>'.repeat(99)}\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2</body></html>`,
  ),
  'ISO 8859-2': Buffer.from('5a61bff3b3e62067eab66cb1206a61bcf1', 'hex'),
  GBK: Buffer.from('c4e3bac3cac0bde7a3acbad3c2ed', 'hex'),
  'Shift JIS': Buffer.from('82b182f182c982bf82cd8141834a836f', 'hex'),
};
const html = `<!DOCTYPE html><html><head><title>Sea</title><style>p{}</style></head><body><h2>Walrus</h2>
  <p>Sleeps &amp; <a href="https://example.org">swims</a>.</p><script>alert(1)</script></body></html>`;

describe('reading a file', () => {
  it.each<[string, Buffer | string, string, string]>([
    ['text', 'A walrus sleeps.', 'plain', 'A walrus sleeps.'],
    ['text with a mark in front', '\ufeffA walrus.', 'plain', 'A walrus.'],
    ['text in UTF-16', utf16('A walrus in UTF-16.'), 'plain', 'A walrus in UTF-16.'],
    ['text in UTF-16, big-endian', utf16BigEndian('A walrus: 🦭 and Ł.'), 'plain', 'A walrus: 🦭 and Ł.'],
    ['CSV with a mark in front', '\ufeffid,name\n1,Olav\n2,Hedda\n', 'csv', 'id,name\n1,Olav\n2,Hedda\n'],
    ['CSV in UTF-16', utf16('id\tname\r\n1\tOlav\r\n2\tHedda'), 'csv', 'id\tname\r\n1\tOlav\r\n2\tHedda'],
    ['JSON with a mark in front', '\ufeff{"animal":"walrus"}', 'json', '{\n "animal": "walrus"\n}'],
    ['HTML with a mark in front', `\ufeff${html}`, 'html', '## Walrus\n\nSleeps & swims.'],
    ['text in Latin-1', latin1('Das Walroß schläft. Ça va?'), 'plain', 'Das Walroß schläft. Ça va?'],
    ['one word in Latin-1', latin1('Größe'), 'plain', 'Größe'],
    ['capitals in Latin-1', latin1('ÜBERGRÖSSE À LA CARTE'), 'plain', 'ÜBERGRÖSSE À LA CARTE'],
    [
      'text in Windows-1252',
      Buffer.from('936e6f942091f59220962035a0802e204c92e974e985', 'hex'),
      'plain',
      '“no” ‘õ’ – 5\u00a0€. L’été…',
    ],
    ['CSV in Latin-1', latin1('nr;name\n1;Jørgen\n2;Åse\n'), 'csv', 'nr;name\n1;Jørgen\n2;Åse\n'],
    ['Markdown in Latin-1', latin1('# Übersicht\n\nWalroß.'), 'markdown', '# Übersicht\n\nWalroß.'],
    [
      'HTML in Latin-1',
      latin1('<html><head><meta charset="iso-8859-1"></head><body><p>Walroß</p></body></html>'),
      'html',
      'Walroß',
    ],
    ...['BMW builds cars.', 'MZ is a company.', 'ID3 is a format.', 'CWS: notes'].map(
      (text): [string, string, string, string] => [`text that begins like a binary file: ${text}`, text, 'plain', text],
    ),
    ['Markdown', '# Sea\n\nA walrus.', 'markdown', '# Sea\n\nA walrus.'],
    ['HTML', html, 'html', '## Walrus\n\nSleeps & swims.'],
    ['CSV', 'id,name\n1,"Olav, the walrus"\n2,Hedda\n', 'csv', 'id,name\n1,"Olav, the walrus"\n2,Hedda\n'],
    ['JSON', '{"animal":"walrus"}', 'json', '{\n "animal": "walrus"\n}'],
    ['what only begins like JSON', '{walrus}', 'plain', '{walrus}'],
    ['PDF', pdfOf(['A walrus sleeps.', 'And dreams.']), 'pdf', 'A walrus sleeps.\n\nAnd dreams.'],
    ['DOCX', docxOf('Sea', 'A walrus sleeps.'), 'docx', '# Sea\n\nA walrus sleeps.'],
  ])('gives the text of %s', async (_name, content, kind, text) => {
    expect(await read(content)).toEqual({
      mediaType: mediaTypes[kind as keyof typeof mediaTypes],
      text,
      layout: kind === 'csv' ? 'rows' : 'paragraphs',
    });
  });

  it.each<[string, Buffer | string]>([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex')],
    ['a program', Buffer.from('7f454c4602010100000000000000000002003e0001000000', 'hex')],
    ['an archive', zipOf({ 'a.txt': { bytes: Buffer.from('walrus') } })],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><text>walrus</text></svg>'],
    ['XML', '<?xml version="1.0"?><walrus/>'],
    ['rich text', '{\\rtf1\\ansi walrus}'],
    ['an old document', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)])],
    ['bytes', Buffer.from([0, 1, 2, 3, 250, 251, 252])],
    ['text with a NUL', 'wal\u0000rus'],
    ['broken UTF-8', Buffer.from([0x77, 0xc3, 0x28])],
    ['UTF-8 that breaks off', Buffer.from('Größe und Übermut: ä').subarray(0, -1)],
    ['UTF-16 without a mark', Buffer.from('A walrus.', 'utf16le')],
    ['a calendar', 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR'],
    ['a byte that Windows-1252 does not have', latin1('Walro\u00df \u0081')],
    ...Object.entries(otherEncodings).map(([name, bytes]): [string, Buffer] => [`text in ${name}`, bytes]),
  ])('does not take %s', async (_name, content) => {
    expect(await read(content)).toEqual({ mediaType: null });
  });

  it.each<[string, Buffer | string, string]>([
    ['a PDF that breaks off', pdfOf(['walrus']).subarray(0, 60), 'unreadable'],
    ['a PDF of nonsense', '%PDF-1.7\nwalrus', 'unreadable'],
    ['a PDF with a password', pdfOf(['walrus'], { encrypted: true }), 'password_protected'],
    ['a PDF without text', pdfOf(['']), 'no_text'],
    ['a DOCX that breaks off', docxOf('Sea', 'walrus').subarray(0, 500), 'unreadable'],
    ['a DOCX with a password', encryptedDocx(), 'password_protected'],
    [
      'an encrypted archive',
      zipOf({ ...docxParts(['a']), 'word/x': { bytes: Buffer.from('x'), flags: 1 } }),
      'password_protected',
    ],
    [
      'a DOCX without a document',
      zipOf({ ...docxParts([]), 'word/document.xml': { bytes: Buffer.from('<a') } }),
      'unreadable',
    ],
    [
      'a bomb that says what it is',
      zipOf({ ...docxParts(['a']), 'word/x': { bytes: Buffer.from('x'), declared: 2 ** 31 } }),
      'too_large',
    ],
    [
      'a bomb that lies',
      zipOf({ ...docxParts(['a']), 'word/x': { bytes: Buffer.alloc(50_000_000), declared: 10 } }),
      'too_large',
    ],
    ['blank text', ' \n ', 'no_text'],
    ['200,000 marks on a letter', `a${'\u0301\u0316'.repeat(100_000)}`, 'unreadable'],
  ])('says why it failed for %s', async (_name, content, failure) => {
    expect(await read(content)).toEqual({ mediaType: expect.any(String), failure });
  });
});
