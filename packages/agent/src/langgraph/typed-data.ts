import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';

/** What a serializer returned, as JSON: text if it is JSON already, or else bytes in base64. */
export type TypedData = [type: string, text: string] | [type: string, bytes: string, encoding: 'base64'];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export async function toTypedData(serde: SerializerProtocol, value: unknown): Promise<TypedData> {
  const [type, data] = await serde.dumpsTyped(value);
  if (typeof data === 'string') return [type, data];
  if (type === 'json') return [type, decoder.decode(data)];
  return [type, Buffer.from(data).toString('base64'), 'base64'];
}

export function fromTypedData(serde: SerializerProtocol, [type, text, encoding]: TypedData): Promise<unknown> {
  return serde.loadsTyped(
    type,
    encoding === undefined ? encoder.encode(text) : new Uint8Array(Buffer.from(text, 'base64')),
  );
}
