import { crc32, deflateRawSync } from 'node:zlib';

/** Builds a ZIP archive. `declared`: a false unpacked size for an entry. */
export function zipOf(entries: Record<string, { bytes: Buffer; declared?: number; flags?: number }>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, { bytes, declared = bytes.length, flags = 0 }] of Object.entries(entries)) {
    const packed = deflateRawSync(bytes);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(bytes), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(declared, 8);
    const local = Buffer.concat([numbers('PK\u0003\u0004', [20, flags, 8, 0, 0]), sizes, shorts([name.length, 0])]);
    const whole = Buffer.concat([local, Buffer.from(name), packed]);
    const place = Buffer.alloc(12);
    place.writeUInt32LE(offset, 8);
    const entry = [numbers('PK\u0001\u0002', [20, 20, flags, 8, 0, 0]), sizes, shorts([name.length, 0, 0]), place];
    directory.push(Buffer.concat([...entry, Buffer.from(name)]));
    parts.push(whole);
    offset += whole.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(10);
  end.writeUInt32LE(listing.length, 0);
  end.writeUInt32LE(offset, 4);
  return Buffer.concat([...parts, listing, numbers('PK\u0005\u0006', [0, 0, parts.length, parts.length]), end]);
}

function numbers(signature: string, values: number[]): Buffer {
  return Buffer.concat([Buffer.from(signature, 'latin1'), shorts(values)]);
}

function shorts(values: number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, 2 * index);
  return buffer;
}

const relations = 'http://schemas.openxmlformats.org';

/** Parts of a Word document; the first paragraph is a heading. */
export function docxParts(
  paragraphs: readonly string[],
): Record<string, { bytes: Buffer; declared?: number; flags?: number }> {
  const body = paragraphs
    .map((text, index) => {
      const style = index === 0 ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
      return `<w:p>${style}<w:r><w:t>${text}</w:t></w:r></w:p>`;
    })
    .join('');
  const document = `<w:document xmlns:w="${relations}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const types = `<Types xmlns="${relations}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
  const links = `<Relationships xmlns="${relations}/package/2006/relationships"><Relationship Id="r1" Type="${relations}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;
  return {
    '[Content_Types].xml': { bytes: Buffer.from(types) },
    '_rels/.rels': { bytes: Buffer.from(links) },
    'word/document.xml': { bytes: Buffer.from(document) },
  };
}

export function docxOf(...paragraphs: string[]): Buffer {
  return zipOf(docxParts(paragraphs));
}

/** A password-protected document: a container whose part names are in UTF-16. */
export function encryptedDocx(): Buffer {
  const header = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  return Buffer.concat([header, Buffer.alloc(1024), Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(1024)]);
}

/** A document with one page per text. */
export function pdfOf(
  pages: readonly string[],
  options: { encrypted?: boolean; stream?: Buffer; filters?: readonly string[] } = {},
): Buffer {
  const objects: Buffer[] = [];
  const add = (text: string | Buffer) => objects.push(Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1'));
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [index, text] of pages.entries()) {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
    );
    const content = options.stream ?? Buffer.from(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`, 'latin1');
    const filters = (options.filters ?? ['FlateDecode']).map((name) => `/${name}`).join(' ');
    const filter = options.stream === undefined ? '' : ` /Filter [${filters}]`;
    add(
      Buffer.concat([
        Buffer.from(`<< /Length ${content.length}${filter} >>\nstream\n`, 'latin1'),
        content,
        Buffer.from('\nendstream', 'latin1'),
      ]),
    );
  }
  const lock = `<< /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >>`;
  if (options.encrypted) add(lock);
  return assemble(objects, options.encrypted ? ` /Encrypt ${objects.length} 0 R /ID [<41> <41>]` : '');
}

/** A document of these objects, numbered from 1. The first is its catalog. */
export function pdfFrom(objects: readonly string[]): Buffer {
  return assemble(
    objects.map((object) => Buffer.from(object, 'latin1')),
    '',
  );
}

function assemble(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n', 'latin1')];
  const offsets: number[] = [];
  let size = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(size);
    size += whole.length;
    parts.push(whole);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root 1 0 R${trailer} >>\nstartxref\n${size}\n%%EOF`,
      'latin1',
    ),
  );
  return Buffer.concat(parts);
}
