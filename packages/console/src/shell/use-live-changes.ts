import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askAgain, useActing, useApi, useRights } from '../api/api.js';
import { followTogether } from './follow-together.js';

/** Changes that come together are shown together. */
const gatherMs = 400;

/** Asks for everything that is shown again when something changed in the scope of the user, also through other surfaces. */
export function useLiveChanges(): void {
  const { memory, session } = useApi();
  const { tenantId, userId, isOther } = useActing();
  const rights = useRights();
  const queries = useQueryClient();
  const isOn = rights.memory && userId !== '';
  useEffect(() => {
    if (!isOn) return;
    let gathering = 0;
    const changed = () => {
      window.clearTimeout(gathering);
      gathering = window.setTimeout(() => askAgain(queries), gatherMs);
    };
    const options = isOther ? { userId } : {};
    const end = followTogether(
      `memhall-changes ${JSON.stringify([tenantId, userId, session.user_id])}`,
      async (given, signal, onChange) => {
        const after = given ?? (await memory.listChanges({ ...options, after: 'now', signal })).next_cursor;
        for await (const { cursor } of memory.followChanges({ ...options, after, signal })) onChange(cursor);
      },
      changed,
    );
    return () => {
      end();
      window.clearTimeout(gathering);
    };
  }, [memory, session, queries, tenantId, userId, isOther, isOn]);
}
