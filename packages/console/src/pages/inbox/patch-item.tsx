import type { UnresolvedPatch, WriteAnswer } from '@memhall/client/operations';
import { useState } from 'react';
import { useActing, useAsk, useChange, useRights } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import type { Json, JsonObject } from '../../parts/json-value.js';
import { OperationList, type ShownOperation } from '../../parts/operation-list.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';
import { newKey, operationsOf } from '../documents/save-document.js';

/** A change of a document that a replay could not make by itself, with the difference it would make. */
export function PatchItem({ patch }: { patch: UnresolvedPatch }) {
  const { tenantId, userId } = useActing();
  const { admin } = useRights();
  const apply = useChange(admin ? 'unresolvedQueue.apply' : 'unresolved.apply');
  const discard = useChange(admin ? 'unresolvedQueue.discard' : 'unresolved.discard');
  const [asked, setAsked] = useState<'apply' | 'discard'>();
  const tell = useTell();
  const path = { tenant_id: tenantId, patch_id: patch.patch_id, user_id: userId };
  const found = useDocument(patch);
  const takeBack = useTakingBack(patch);
  const isApplied = asked === 'apply';
  const run = async () => {
    if (!isApplied) {
      await discard.mutateAsync({ path });
      return tell('Discarded.');
    }
    const { data: before } = await found.refetch();
    const after = (await apply.mutateAsync({ path })) as WriteAnswer;
    const undo = before && { undo: () => takeBack(after, before.document.content as JsonObject) };
    tell('Applied: it is a new version of the document.', {
      ...undo,
      undone: 'Undone: the document is as it was before.',
    });
  };
  return (
    <section className="card" aria-label={`Patch of ${patch.namespace}/${patch.path}`} data-row>
      <header className="card-head">
        <h2>
          <Text value={`${patch.namespace}/${patch.path}`} limit={200} />
        </h2>
        <span className="row">
          <Badge>{patch.user_id}</Badge>
          <Badge tone={patch.status === 'review' ? 'warn' : 'plain'}>{patch.status}</Badge>
          <Badge tone="danger">{patch.problem.code}</Badge>
        </span>
      </header>
      <div className="card-body stack">
        <p>
          <Text value={patch.problem.message} limit={600} />
        </p>
        <Difference patch={patch} found={found} />
        <p className="small muted">
          {Math.round(patch.confidence * 100)} % sure, tried {patch.attempts === 1 ? 'once' : `${patch.attempts} times`}
          , found <Time at={patch.created_at} exact />
        </p>
        <div className="row">
          <button type="button" className="button" onClick={() => setAsked('apply')}>
            Apply…
          </button>
          <button type="button" className="button danger-quiet" onClick={() => setAsked('discard')}>
            Discard…
          </button>
        </div>
      </div>
      {asked !== undefined && (
        <ConfirmDialog
          title={isApplied ? 'Apply this patch?' : 'Discard this patch?'}
          action={isApplied ? 'Apply' : 'Discard'}
          danger={!isApplied}
          run={run}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {isApplied
              ? 'It is applied to the document as it is now, and checked against its schema. It can be undone: earlier versions stay in its history.'
              : 'It is never applied. This cannot be undone.'}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function usePlace({ user_id, namespace, path }: UnresolvedPatch) {
  const { tenantId } = useActing();
  return { tenant_id: tenantId, user_id, namespace, path };
}

function useDocument(patch: UnresolvedPatch) {
  return useAsk('documents.get', { path: usePlace(patch), query: {} });
}

/** Returns what makes the document as it was before the patch, unless somebody wrote to it since. */
function useTakingBack(patch: UnresolvedPatch) {
  const change = useChange('documents.patch');
  const path = usePlace(patch);
  return ({ etag, document }: WriteAnswer, target: JsonObject) =>
    change.mutateAsync({
      path,
      headers: { 'if-match': etag, 'idempotency-key': newKey() },
      body: {
        profile_id: patch.profile_id,
        binding_id: patch.binding_id,
        reason: 'live_update',
        evidence: { note: 'undone in the console' },
        ops: operationsOf({ base: { etag, content: document.content as JsonObject }, target }),
      },
    });
}

/** What is there now, and what would be there. */
function Difference({ patch, found }: { patch: UnresolvedPatch; found: ReturnType<typeof useDocument> }) {
  const list = (current?: Json) => <OperationList operations={patch.ops as ShownOperation[]} current={current} />;
  if (found.isError) return list();
  return <Answer of={found}>{({ document }) => list(document as unknown as Json)}</Answer>;
}
