/** Counts by kind, without those that are zero. */
export function Counts({ counts, empty }: { counts: Record<string, unknown>; empty: string }) {
  const some = Object.entries(counts).filter(([, count]) => count !== 0);
  if (some.length === 0) return <p className="muted">{empty}</p>;
  return (
    <dl className="counts">
      {some.map(([name, count]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{typeof count === 'number' ? count.toLocaleString('en') : String(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
