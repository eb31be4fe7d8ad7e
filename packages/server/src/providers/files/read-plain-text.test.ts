import { describe, expect, it } from 'vitest';
import { readPlainText } from './read-plain-text.js';
import { docxOf, pdfOf } from './test-support/sample-files.js';

const read = (content: Buffer | string) => readPlainText(Buffer.from(content as string));

describe('small files', () => {
  it.each<[string, Buffer | string, object]>([
    ['text', 'A walrus.', { mediaType: 'text/plain', text: 'A walrus.', layout: 'paragraphs' }],
    ['Markdown', '# Sea\n\nA walrus.', { mediaType: 'text/markdown', text: '# Sea\n\nA walrus.' }],
    ['a table', 'id,name\n1,Olav\n2,Hedda\n', { mediaType: 'text/csv', layout: 'rows' }],
    ['text in UTF-16', Buffer.from('\ufeffA walrus.', 'utf16le'), { mediaType: 'text/plain', text: 'A walrus.' }],
    ['accents', 'Cafe\u0301', { mediaType: 'text/plain', text: 'Café' }],
    ['nothing but space', ' \n', { mediaType: 'text/plain', failure: 'no_text' }],
    ['many marks in a row', `a${'\u0301\u0316'.repeat(51)}`, { mediaType: 'text/plain', failure: 'unreadable' }],
    ['a calendar', 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR', { mediaType: null }],
  ])('are read without a process: %s', async (_name, content, file) => {
    expect(await read(content)).toMatchObject(file);
  });

  it.each<[string, Buffer | string]>([
    ['a PDF', pdfOf(['walrus'])],
    ['text that mentions a PDF', 'A file starts with %PDF-1.7.'],
    ['a DOCX', docxOf('Sea', 'walrus')],
    ['HTML', '  <p>walrus</p>'],
    ['JSON', '\n{"animal":"walrus"}'],
    ['a list', '\ufeff["walrus"]'],
    ['bytes', Buffer.from([0, 1, 2])],
  ])('need a process: %s', async (_name, content) => {
    expect(await read(content)).toBeUndefined();
  });
});
