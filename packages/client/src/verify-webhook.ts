/** What a webhook sends. */
export interface SentChanges {
  /** The same at every attempt to send this delivery. */
  id: string;
  webhook: string;
  tenant_id: string;
  changes: SentChange[];
}

export interface SentChange {
  at: string;
  operation: string;
  kind: string;
  id: string;
  user_id?: string;
  workspace_id?: string;
  namespace?: string;
  visibility?: 'public';
}

export interface ReceivedWebhook {
  /** The body, exactly as it was received. */
  body: string;
  /** The header `Memhall-Signature`. */
  signature: string | null | undefined;
  secret: string;
  /** How old a request may be, so that a recorded one cannot be sent again; default: 300. */
  toleranceSeconds?: number;
}

/** Returns what a webhook sent. Throws an Error if it was not signed with this secret, or too long ago. */
export async function verifyWebhook({
  body,
  signature,
  secret,
  toleranceSeconds = 300,
}: ReceivedWebhook): Promise<SentChanges> {
  const [, seconds = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? [];
  if (given === '') throw new Error('The request has no valid Memhall-Signature header.');
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const bytes = Uint8Array.from(given.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  if (!(await crypto.subtle.verify('HMAC', key, bytes, encoder.encode(`${seconds}.${body}`)))) {
    throw new Error('The signature of the webhook does not match. Is the secret the one that the webhook has?');
  }
  if (Math.abs(Date.now() / 1000 - Number(seconds)) > toleranceSeconds) {
    throw new Error(`The webhook was signed more than ${toleranceSeconds} seconds ago.`);
  }
  return JSON.parse(body);
}
