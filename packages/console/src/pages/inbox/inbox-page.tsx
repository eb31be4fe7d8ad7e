import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { useActing, useRights } from '../../api/api.js';
import { Empty } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Page } from '../../parts/page.js';
import { useShownTab } from '../../parts/page-tabs.js';
import './inbox.css';
import { FactItem } from './fact-item.js';
import { PatchItem } from './patch-item.js';
import { QuarantineItem } from './quarantine-item.js';
import { useQueue } from './use-queue.js';

const names = { all: 'Everything', facts: 'Facts', patches: 'Patches', quarantine: 'Quarantine' } as const;
type Shown = keyof typeof names;

/** Everything that waits for a person, in one queue. */
export function InboxPage() {
  const { show = 'all' } = useSearch({ from: '/inbox' });
  const navigate = useNavigate({ from: '/inbox' });
  const { userId } = useActing();
  const { admin } = useRights();
  const { facts = [], patches = [], quarantine = [], errors } = useQueue();
  const counts = { facts: facts.length, patches: patches.length, quarantine: quarantine.length };
  const shown: Shown = show in names ? (show as Shown) : 'all';
  const has = (kind: Shown) => shown === 'all' || shown === kind;
  const tabs = (Object.keys(names) as Shown[]).filter((kind) => kind !== 'quarantine' || admin);
  const list = useShownTab(shown);
  const isEmpty =
    [...(has('facts') ? facts : []), ...(has('patches') ? patches : []), ...(has('quarantine') ? quarantine : [])]
      .length === 0;
  return (
    <Page
      title="Inbox"
      lead={
        admin
          ? `Texts and patches of the tenant, and facts of ${userId || 'no user'}.`
          : 'What waits for your decision.'
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => navigate({ search: (all) => ({ ...all, show: next }), replace: true })}
      >
        <Tabs.List ref={list} className="tabs" aria-label="Kinds">
          {tabs.map((kind) => (
            <Tabs.Trigger key={kind} value={kind} className="tab">
              {names[kind]} {kind === 'all' ? '' : counts[kind]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={shown} className="stack inbox">
          {errors.map((error) => (
            <ErrorNote key={error.message} error={error} />
          ))}
          {isEmpty && (
            <section className="card">
              <Empty title="Nothing waits for you." />
            </section>
          )}
          {has('quarantine') && quarantine.map((entry) => <QuarantineItem key={entry.quarantine_id} entry={entry} />)}
          {has('patches') && patches.map((patch) => <PatchItem key={patch.patch_id} patch={patch} />)}
          {has('facts') && facts.map((fact) => <FactItem key={fact.id} fact={fact} />)}
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}
