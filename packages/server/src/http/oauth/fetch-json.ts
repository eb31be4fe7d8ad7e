const timeoutMs = 5000;
/** Far more than metadata or a key set of an issuer has. */
const maxBytes = 256 * 1024;

/**
 * Fetches from an identity provider. Follows no redirects, so that the addresses that were checked are the ones that are
 * called, and reads only so much.
 */
export async function fetchFromIssuer(url: string, init: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { headers: { accept: 'application/json' }, ...init, redirect: 'error', signal });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`it answers with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status: response.status });
}

/** Returns undefined if there is no such document. Throws an error that says what is wrong with it. */
export async function fetchDocument(url: string): Promise<{ [member: string]: unknown } | undefined> {
  const response = await fetchFromIssuer(url);
  if (response.status >= 400 && response.status < 500) return undefined;
  if (response.status !== 200) throw new Error(`it answers with status ${response.status}`);
  const document: unknown = await response.json().catch(() => undefined);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error('it does not answer with a JSON object');
  return document as { [member: string]: unknown };
}
