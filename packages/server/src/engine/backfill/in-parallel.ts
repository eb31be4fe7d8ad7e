/** Does the work for all items, a few at a time and begun in order. After a failure nothing more is begun, and it rejects when what was has ended. */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const workOn = async () => {
    while (next < items.length && failures.length === 0) {
      const item = items[next++] as T;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workOn));
  if (failures.length > 0) throw failures[0];
}
