/** More calls at a time would wait for each other in the server. */
const atOnce = 4;

interface Refused<T> {
  item: T;
  error: Error;
}

/** Calls the server for each item, a few at a time, and returns those that it refused, in order. */
export async function settleAll<T>(
  items: readonly T[],
  call: (item: T) => Promise<unknown>,
  onDone: (count: number) => void = () => undefined,
): Promise<Refused<T>[]> {
  const refused = new Map<number, Refused<T>>();
  const waiting = items.entries();
  let done = 0;
  const work = async () => {
    for (const [index, item] of waiting) {
      await call(item).catch((error: Error) => refused.set(index, { item, error }));
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return [...refused.entries()].sort(([one], [other]) => one - other).map(([, one]) => one);
}
