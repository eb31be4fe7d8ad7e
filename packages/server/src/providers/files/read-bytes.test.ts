import { describe, expect, it } from 'vitest';
import { mediaTypes } from './detect-file.js';
import { readBytes } from './read-bytes.js';
import { docxOf, docxParts, encryptedDocx, pdfOf, zipOf } from './test-support/sample-files.js';

const read = (content: Buffer | string) => readBytes(Buffer.from(content as string), () => undefined);

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('A walrus in UTF-16.', 'utf16le')]);
const html = `<!DOCTYPE html><html><head><title>Sea</title><style>p{}</style></head><body><h2>Walrus</h2>
  <p>Sleeps &amp; <a href="https://example.org">swims</a>.</p><script>alert(1)</script></body></html>`;

describe('reading a file', () => {
  it.each<[string, Buffer | string, string, string]>([
    ['text', 'A walrus sleeps.', 'plain', 'A walrus sleeps.'],
    ['text with a mark in front', '\ufeffA walrus.', 'plain', 'A walrus.'],
    ['text in UTF-16', utf16, 'plain', 'A walrus in UTF-16.'],
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
  ])('says why it failed for %s', async (_name, content, failure) => {
    expect(await read(content)).toEqual({ mediaType: expect.any(String), failure });
  });
});
