interface StaleNoteProps {
  of: { isStale: boolean; isFetching: boolean; refetch(): Promise<unknown> };
}

/** Says that a long list is not as it was read, and reads it again on request. */
export function StaleNote({ of: list }: StaleNoteProps) {
  return (
    <div role="status" className="stale-note">
      {list.isStale && !list.isFetching && (
        <p className="note row">
          Something changed since this list was read.
          <button type="button" className="button small" onClick={() => void list.refetch()}>
            Read it again
          </button>
        </p>
      )}
    </div>
  );
}
