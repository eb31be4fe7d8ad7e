import type { WriteAnswer } from '@memhall/client/operations';
import { useChange } from '../../api/api.js';
import type { JsonObject } from '../../parts/json-value.js';
import { useTell } from '../../parts/toasts.js';
import { type Change, type HowToSave, newKey, operationsOf, toPatch, toReplacement } from './save-document.js';

type Place = { tenant_id: string; user_id: string; namespace: string; path: string };

/** Returns what writes a change of a document, says what came of it, and offers to take it back. */
export function useSave(place: Place): (change: Change, how: HowToSave, done: string) => Promise<WriteAnswer> {
  const patch = useChange('documents.patch');
  const replace = useChange('documents.replace');
  const tell = useTell();
  const write = (change: Change, how: HowToSave) =>
    how.isReplaced
      ? replace.mutateAsync(toReplacement(place, change, how))
      : patch.mutateAsync(toPatch(place, change, how));
  return async (change, how, done) => {
    const answer = await write(change, how);
    const { bound, base } = change;
    const saved = { etag: answer.etag, content: answer.document.content as JsonObject };
    const back: Change = { bound, base: saved, target: base.content };
    const canUndo = base.etag !== null && operationsOf(back).length > 0;
    const undo = () => write(back, { ...how, note: 'undone in the console', key: newKey() });
    tell(said(answer, done), canUndo ? { undo, undone: 'Undone: it is as it was before.' } : {});
    return answer;
  };
}

function said({ redirected, redacted }: WriteAnswer, done: string): string {
  if (redirected) return 'Stored as questions to be confirmed: its confidence was too low.';
  return redacted ? `${done} Secrets in it were replaced.` : done;
}
