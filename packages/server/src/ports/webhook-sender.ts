export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What came of sending a request. */
export interface WebhookOutcome {
  /** Null if there was no response. */
  status: number | null;
  /** Null if the response was successful. A clause to be shown to administrators, such as `responded with status 500`. */
  fault: string | null;
  durationMs: number;
}

/**
 * Sends requests to endpoints that tenants choose. It uses HTTPS only, follows no redirects, and does not connect to addresses that are
 * not public unless the operator allows them.
 */
export interface WebhookSender {
  /** Rejects only if the signal is aborted. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome>;
}
