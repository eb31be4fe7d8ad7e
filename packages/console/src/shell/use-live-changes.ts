import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askAgain, useActing, useApi, useRights } from '../api/api.js';

/** Changes that come together are shown together. */
const gatherMs = 400;
const retryMs = 5000;

/** Asks for everything that is shown again when something changed in the scope of the user, also through other surfaces. */
export function useLiveChanges(): void {
  const { memory } = useApi();
  const { userId, isOther } = useActing();
  const rights = useRights();
  const queries = useQueryClient();
  const isOn = rights.memory && userId !== '';
  useEffect(() => {
    if (!isOn) return;
    const ended = new AbortController();
    let gathering = 0;
    const follow = async () => {
      const options = { signal: ended.signal, ...(isOther && { userId }) };
      for await (const _change of memory.followChanges(options)) {
        window.clearTimeout(gathering);
        gathering = window.setTimeout(() => askAgain(queries), gatherMs);
      }
    };
    const keepFollowing = async () => {
      while (!ended.signal.aborted) {
        await follow().catch(() => undefined);
        await new Promise((done) => window.setTimeout(done, retryMs));
      }
    };
    void keepFollowing();
    return () => {
      ended.abort();
      window.clearTimeout(gathering);
    };
  }, [memory, queries, userId, isOther, isOn]);
}
