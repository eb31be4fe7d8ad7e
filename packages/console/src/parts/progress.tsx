interface ProgressProps {
  /** Says what progresses. */
  label: string;
  done: number;
  /** Absent: it is not known yet. */
  total?: number | undefined;
}

export function Progress({ label, done, total }: ProgressProps) {
  const known = total === undefined ? {} : { max: Math.max(1, total), value: Math.min(done, total) };
  return <progress className="progress" aria-label={label} {...known} />;
}
