/** How long to wait before a stream that ended is opened again. */
const retryMs = 5000;
const expiredCursor = 410;

/** Follows until the signal aborts, or until the stream ends. Calls back with the cursor of each change. */
type Follow = (after: string | undefined, signal: AbortSignal, onChange: (cursor: string) => void) => Promise<void>;

/**
 * Follows changes in one tab for all tabs of the browser that show the same, and in none that nobody looks at: a browser opens six
 * connections to a host, and a stream keeps one of them. Returns what ends it.
 */
export function followTogether(name: string, follow: Follow, onChange: () => void): () => void {
  let cursor: string | undefined;
  let watching: AbortController | undefined;
  const others = new BroadcastChannel(name);
  const learn = (next: string) => {
    cursor = next;
    onChange();
  };
  others.onmessage = ({ data }) => learn(String(data));
  const keepFollowing = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const tell = (next: string) => {
        learn(next);
        others.postMessage(next);
      };
      await follow(cursor, signal, tell).catch((error: { status?: number }) => {
        if (error.status !== expiredCursor) return;
        cursor = undefined;
        onChange();
      });
      await new Promise((done) => window.setTimeout(done, retryMs));
    }
  };
  const look = () => {
    if (document.visibilityState === 'hidden') {
      watching?.abort();
      watching = undefined;
    } else if (watching === undefined) {
      watching = new AbortController();
      void inTurn(name, watching.signal, keepFollowing);
    }
  };
  const lookAgain = () => {
    look();
    // Without a cursor, nobody told this tab what it missed.
    if (watching !== undefined && cursor === undefined) onChange();
  };
  document.addEventListener('visibilitychange', lookAgain);
  look();
  return () => {
    document.removeEventListener('visibilitychange', lookAgain);
    watching?.abort();
    others.close();
  };
}

/** Waits until no other tab does it. Pages without TLS that are not on this machine cannot wait for each other. */
async function inTurn(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return work(signal);
  await navigator.locks.request(name, { signal }, () => work(signal)).catch(() => undefined);
}
