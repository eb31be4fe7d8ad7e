/** Does the work when the process ends, also when it is interrupted, unless it was done before. Returns the function that does it. */
export function atExit(work: () => void): () => void {
  let isDone = false;
  const once = (): void => {
    process.off('exit', once);
    if (!isDone) work();
    isDone = true;
  };
  process.on('exit', once);
  return once;
}

/** Ends the process orderly when it is interrupted, until the returned function is called. */
export function exitWhenInterrupted(): () => void {
  const exit = (): void => process.exit(130);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, exit);
  return () => {
    for (const signal of signals) process.off(signal, exit);
  };
}
