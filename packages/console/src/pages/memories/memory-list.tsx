import type { AnyMemory } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

interface MemoryListProps {
  memories: readonly AnyMemory[];
  isSelected(id: string): boolean;
  onSelect(memory: AnyMemory, isOn: boolean): void;
  hasMore: boolean;
  onMore(): void;
}

const rowPixels = 44;
/** The next page is asked for before its first row is reached. */
const rowsAhead = 60;

/** Only the rows that can be seen exist. */
export function MemoryList({ memories, isSelected, onSelect, hasMore, onMore }: MemoryListProps) {
  const list = useRef<HTMLDivElement>(null);
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
  return (
    <section className="card memory-list" aria-label="Memories">
      <p className="memory-count small muted" role="status">
        {memories.length.toLocaleString('en')}
        {hasMore ? ' read so far' : memories.length === 1 ? ' memory' : ' memories'}
      </p>
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
              <Row memory={memory} isSelected={isSelected(memory.id)} onSelect={onSelect} />
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
  onSelect(memory: AnyMemory, isOn: boolean): void;
}

const Row = memo(function Row({ memory, isSelected, onSelect }: RowProps) {
  const { id, content, kind, pin, trust, occurred_at: at, origin } = memory;
  return (
    <div className={isSelected ? 'memory-row selected' : 'memory-row'} data-row>
      <input
        type="checkbox"
        aria-label={`Select: ${content.slice(0, 60)}`}
        checked={isSelected}
        onChange={(event) => onSelect(memory, event.target.checked)}
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
