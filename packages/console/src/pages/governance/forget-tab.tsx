import type { Operations } from '@memhall/client/operations';
import { type FormEvent, useId, useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { Counts } from './counts.js';

type Erased = Operations['users.forget']['answer'];

/** Erases a person, after a dry run and a typed confirmation, and proves it. */
export function ForgetTab() {
  const { tenantId } = useActing();
  const id = useId();
  const [user, setUser] = useState('');
  const [erased, setErased] = useState<Erased>();
  const [receiptId, setReceiptId] = useState('');
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setErased(undefined);
    setUser(String(new FormData(event.currentTarget).get('user')).trim());
  };
  const check = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setReceiptId(String(new FormData(event.currentTarget).get('receipt')).trim());
  };
  return (
    <>
      <section className="card" aria-labelledby="forget-title">
        <header className="card-head">
          <h2 id="forget-title">Forget a user</h2>
        </header>
        <div className="card-body stack">
          <p className="muted">
            Erases everything about a person of this tenant, and gives a receipt that proves it. The dry run shows what
            would go, and changes nothing.
          </p>
          <form onSubmit={look} className="row end">
            <div className="field grow">
              <label htmlFor={`${id}-user`}>User id</label>
              <input id={`${id}-user`} name="user" required maxLength={128} autoComplete="off" />
            </div>
            <button type="submit" className="button">
              Dry run
            </button>
          </form>
          {user !== '' && erased === undefined && <Preview key={user} user={user} onErased={setErased} />}
          {erased !== undefined && <Receipt erased={erased} onCheck={() => setReceiptId(erased.receipt.id)} />}
        </div>
      </section>
      <section className="card" aria-labelledby="check-title">
        <header className="card-head">
          <h2 id="check-title">Check a receipt</h2>
        </header>
        <div className="card-body stack">
          <p className="muted">Looks for what is left of an erased person, and says whether the receipt is genuine.</p>
          <form onSubmit={check} className="row end" key={receiptId}>
            <div className="field grow">
              <label htmlFor={`${id}-receipt`}>Id of the receipt</label>
              <input id={`${id}-receipt`} name="receipt" defaultValue={receiptId} required autoComplete="off" />
            </div>
            <button type="submit" className="button">
              Check
            </button>
          </form>
          {receiptId !== '' && <Checked tenantId={tenantId} receiptId={receiptId} />}
        </div>
      </section>
    </>
  );
}

function Preview({ user, onErased }: { user: string; onErased(erased: Erased): void }) {
  const { tenantId } = useActing();
  const path = { tenant_id: tenantId, user_id: user };
  const found = useAsk('users.previewForget', { path });
  const forget = useChange('users.forget');
  const [isAsked, setAsked] = useState(false);
  return (
    <Answer of={found}>
      {({ counts, legal_holds: holds }) => (
        <div className="stack" role="status">
          <p>
            Would remove of <Text value={user} limit={128} />:
          </p>
          <Counts counts={counts} empty="Nothing is stored of this user." />
          {holds.length > 0 && <p className="note warn">A legal hold forbids it: {holds.join(', ')}.</p>}
          <div>
            <button type="button" className="button danger" disabled={holds.length > 0} onClick={() => setAsked(true)}>
              Forget this user…
            </button>
          </div>
          {isAsked && (
            <ConfirmDialog
              title="Forget this user?"
              action="Forget the user"
              danger
              typed={user}
              onClose={() => setAsked(false)}
              run={async () => onErased(await forget.mutateAsync({ path }))}
            >
              <p>
                Everything about the user is erased: memories, facts, documents, files, versions, snapshots, and their
                lines in documents of others. You get a receipt. This cannot be undone.
              </p>
            </ConfirmDialog>
          )}
        </div>
      )}
    </Answer>
  );
}

function Receipt({ erased: { receipt }, onCheck }: { erased: Erased; onCheck(): void }) {
  const href = `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <div className="note ok stack tight" role="status">
      <p>
        <strong>Erased.</strong> Receipt <code>{receipt.id}</code>, <Time at={receipt.time} exact />
      </p>
      <div className="row">
        <a className="button" href={href} download={`receipt-${receipt.id}.json`}>
          Download the receipt
        </a>
        <button type="button" className="button" onClick={onCheck}>
          Check it now
        </button>
      </div>
    </div>
  );
}

function Checked({ tenantId, receiptId }: { tenantId: string; receiptId: string }) {
  const found = useAsk('receipts.check', { path: { tenant_id: tenantId, receipt_id: receiptId } });
  return (
    <Answer of={found}>
      {({ verified, receipt, remaining, newer }) => (
        <div className={verified ? 'note ok stack tight' : 'note danger stack tight'} role="status">
          <p>
            <Badge tone={verified ? 'ok' : 'danger'}>{verified ? 'verified' : 'not verified'}</Badge>{' '}
            {verified
              ? 'Nothing that the receipt lists is left, and the receipt is the one that was issued.'
              : 'Something is left, or the receipt was altered.'}
          </p>
          <p className="small">
            Of <Text value={receipt.user_id ?? 'the whole tenant'} limit={140} />, <Time at={receipt.time} exact />
          </p>
          <h3>Erased</h3>
          <Counts counts={receipt.counts} empty="Nothing was stored." />
          {!verified && (
            <>
              <h3>Left</h3>
              <Counts counts={remaining} empty="Nothing." />
            </>
          )}
          <h3>Stored since</h3>
          <Counts counts={newer} empty="Nothing." />
        </div>
      )}
    </Answer>
  );
}
