import type { AnyMemory, CallInput } from '@memhall/client/operations';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { useActing, usePages } from '../../api/api.js';
import { Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Fold } from '../../parts/fold.js';
import { MomentInput } from '../../parts/moment-input.js';
import { Page } from '../../parts/page.js';
import { StaleNote } from '../../parts/stale-note.js';
import { kinds } from '../recall/recall-settings.js';
import './memories.css';
import { BulkActions } from './bulk-actions.js';
import { MemoryList } from './memory-list.js';

type Kind = (typeof kinds)[number];

/** Everything the user may read, newest first, however much it is. */
export function MemoriesPage() {
  const search = useSearch({ from: '/memories' });
  const { onBehalf, userId, isOther } = useActing();
  const { kind, ...filter } = search;
  const query: CallInput<'memory.list'>['query'] = {
    ...pick(filter),
    ...(kinds.includes(kind as Kind) && { kind: kind as Kind }),
    ...onBehalf,
  };
  const pages = usePages('memory.list', { path: {}, query });
  const [selected, setSelected] = useState<ReadonlyMap<string, AnyMemory>>(new Map());
  const memories = useMemo(() => pages.data?.pages.flatMap((page) => page.memories) ?? [], [pages.data]);
  const select = (chosen: readonly AnyMemory[], isOn: boolean) =>
    setSelected((all) => {
      const next = new Map(all);
      for (const memory of chosen) {
        if (isOn) next.set(memory.id, memory);
        else next.delete(memory.id);
      }
      return next;
    });
  const refresh = () => {
    setSelected(new Map());
    void pages.refetch();
  };
  return (
    <Page
      title="Memories"
      lead={`Everything ${isOther ? userId : 'you'} may read, newest first.`}
      actions={
        <button type="button" className="button" onClick={refresh} data-shortcut="r">
          Refresh
        </button>
      }
    >
      <Fold title="Filters">
        <Filters />
      </Fold>
      {selected.size > 0 && <BulkActions selected={[...selected.values()]} onDone={refresh} />}
      {pages.isError && <ErrorNote error={pages.error} />}
      {pages.isPending && <Waiting />}
      <StaleNote of={pages} />
      {pages.data !== undefined && memories.length === 0 && (
        <section className="card">
          <Empty title="No memory matches.">Remember something, or take a filter away.</Empty>
        </section>
      )}
      {memories.length > 0 && (
        <MemoryList
          memories={memories}
          selected={selected}
          onSelect={select}
          hasMore={pages.hasNextPage}
          onMore={() => {
            if (!pages.isFetchingNextPage) void pages.fetchNextPage();
          }}
        />
      )}
    </Page>
  );
}

function pick<T extends object>(filter: T): T {
  const { user: _, ...rest } = filter as T & { user?: string };
  return rest as T;
}

const textFilters = [
  ['tag', 'Tag'],
  ['session_id', 'Session'],
  ['namespace', 'Namespace'],
  ['external_id', 'External id'],
] as const;

function Filters() {
  const search = useSearch({ from: '/memories' });
  const navigate = useNavigate({ from: '/memories' });
  const id = useId();
  const set = (change: Partial<typeof search>) => navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  return (
    <search className="filters">
      <div className="field">
        <label htmlFor={`${id}-kind`}>Kind</label>
        <select id={`${id}-kind`} value={search.kind ?? ''} onChange={(event) => set({ kind: event.target.value })}>
          <option value="">all</option>
          {kinds.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
      </div>
      {textFilters.map(([name, label]) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{label}</label>
          <input
            key={search[name] ?? ''}
            id={`${id}-${name}`}
            defaultValue={search[name] ?? ''}
            onBlur={(event) => set({ [name]: event.target.value.trim() })}
            onKeyDown={(event) => event.key === 'Enter' && set({ [name]: event.currentTarget.value.trim() })}
          />
        </div>
      ))}
      {(['from', 'to'] as const).map((name) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{name === 'from' ? 'Happened from' : 'Happened until'}</label>
          <MomentInput id={`${id}-${name}`} value={search[name]} onChange={(moment) => set({ [name]: moment })} />
        </div>
      ))}
    </search>
  );
}
