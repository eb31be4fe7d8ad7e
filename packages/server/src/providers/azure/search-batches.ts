/** The limits of the service are 1000 documents and 16 MB. */
const maxDocuments = 1000;
const maxBytes = 15_000_000;

/** Splits documents into batches that fit into one request each. */
export function* documentBatches<T>(documents: readonly T[]): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const document of documents) {
    const size = Buffer.byteLength(JSON.stringify(document)) + 1;
    if (batch.length === maxDocuments || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(document);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
