import type { LearnedConversation } from '@memhall/client/operations';
import { useId, useState } from 'react';
import { useActing, useChange } from '../../api/api.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { useTell } from '../../parts/toasts.js';
import { useProfiles } from '../documents/use-profiles.js';
import type { Turn } from './turns.js';

interface ReplayDialogProps {
  id: string;
  learned: LearnedConversation;
  turns: readonly Turn[];
  onClose(): void;
}

const roles = ['user', 'assistant', 'system', 'tool'] as const;

/** Reads a conversation once more: its latest snapshot, or a new one of the turns that are shown. */
export function ReplayDialog({ id, learned, turns, onClose }: ReplayDialogProps) {
  const { tenantId, userId } = useActing();
  const { profiles } = useProfiles();
  const again = useChange('conversations.replay');
  const take = useChange('conversations.snapshot');
  const tell = useTell();
  const fieldId = useId();
  const latest = learned.replays[0];
  const [chosen, setChosen] = useState(latest?.profile_id);
  const profileId = chosen ?? profiles?.[0]?.profile_id ?? '';
  const path = { tenant_id: tenantId, user_id: userId, conversation_id: id };
  const run = async () => {
    if (latest !== undefined) {
      const snapshot = { ...path, snapshot_id: latest.snapshot_id };
      await again.mutateAsync({ path: snapshot, body: { profile_id: profileId }, headers: {} });
    } else {
      const messages = turns.map(({ id: messageId, role, text, at }) => ({
        id: messageId,
        role: roles.find((one) => one === role) ?? 'user',
        content: text,
        ...(at !== undefined && { timestamp: at }),
      }));
      await take.mutateAsync({ path, body: { profile_id: profileId, messages }, headers: {} });
    }
    tell('The replay is queued.');
  };
  return (
    <ConfirmDialog title="Replay this conversation?" action="Replay" run={run} onClose={onClose}>
      <p>
        {latest === undefined
          ? `Stores an encrypted snapshot of the ${turns.length} turns that are shown, and reads it for what is worth remembering.`
          : 'Reads the latest snapshot once more for what is worth remembering.'}{' '}
        What is known is not added twice. Each change is a new version of its document, which can be restored.
      </p>
      <div className="field">
        <label htmlFor={fieldId}>Under the rules of the profile</label>
        <select id={fieldId} value={profileId} onChange={(event) => setChosen(event.target.value)}>
          {(profiles ?? []).map(({ profile_id: name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
    </ConfirmDialog>
  );
}
