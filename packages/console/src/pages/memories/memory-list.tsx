import type { AnyMemory } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

interface MemoryListProps {
  memories: readonly AnyMemory[];
  selected: ReadonlyMap<string, AnyMemory>;
  onSelect(memories: readonly AnyMemory[], isOn: boolean): void;
  hasMore: boolean;
  onMore(): void;
}

const rowPixels = 44;
/** The next page is asked for before its first row is reached. */
const rowsAhead = 60;

/** Only the rows that can be seen exist. */
export function MemoryList({ memories, selected, onSelect, hasMore, onMore }: MemoryListProps) {
  const list = useRef<HTMLDivElement>(null);
  const lastSelected = useRef<string>(undefined);
  const areAllSelected = useMemo(
    () => selected.size >= memories.length && memories.every(({ id }) => selected.has(id)),
    [selected, memories],
  );
  const rows = useWindowVirtualizer({
    count: memories.length,
    estimateSize: () => rowPixels,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= memories.length - rowsAhead) onMore();
  });
  const selectRow = useCallback(
    (memory: AnyMemory, isOn: boolean, isRange: boolean) => {
      const at = isRange ? memories.indexOf(memory) : -1;
      const from = isRange ? memories.findIndex(({ id }) => id === lastSelected.current) : -1;
      lastSelected.current = memory.id;
      onSelect(from === -1 ? [memory] : memories.slice(Math.min(from, at), Math.max(from, at) + 1), isOn);
    },
    [memories, onSelect],
  );
  return (
    <section className="card memory-list" aria-label="Memories">
      <div className="memory-head small muted">
        <input
          type="checkbox"
          aria-label="Select all that are listed"
          checked={areAllSelected}
          onChange={(event) => onSelect(memories, event.target.checked)}
        />
        <p className="memory-count" role="status">
          {memories.length.toLocaleString('en')}
          {hasMore ? ' read so far' : memories.length === 1 ? ' memory' : ' memories'}
        </p>
      </div>
      <div ref={list} style={{ height: `${rows.getTotalSize()}px` }} className="memory-rows">
        {shown.map(({ index, start }) => {
          const memory = memories[index];
          if (memory === undefined) return null;
          return (
            <div
              key={memory.id}
              className="memory-place"
              style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
            >
              <Row memory={memory} isSelected={selected.has(memory.id)} onSelect={selectRow} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

interface RowProps {
  memory: AnyMemory;
  isSelected: boolean;
  /** `isRange`: with all between it and the one selected before. */
  onSelect(memory: AnyMemory, isOn: boolean, isRange: boolean): void;
}

const Row = memo(function Row({ memory, isSelected, onSelect }: RowProps) {
  const { id, content, kind, pin, trust, occurred_at: at, origin } = memory;
  return (
    <div className={isSelected ? 'memory-row selected' : 'memory-row'} data-row>
      <input
        type="checkbox"
        aria-label={`Select: ${content.slice(0, 60)}`}
        checked={isSelected}
        onChange={(event) => onSelect(memory, event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
      />
      <Link to="/memories/$id" params={{ id }} className="memory-text" preload={false}>
        <Text value={content} limit={220} />
      </Link>
      <span className="memory-badges">
        {pin && <Badge tone="accent">pinned</Badge>}
        <Badge>{kind}</Badge>
        <TrustBadge trust={trust} />
      </span>
      <span className="small muted memory-origin">{origin.surface}</span>
      <span className="small muted number">
        <Time at={at} />
      </span>
    </div>
  );
});
