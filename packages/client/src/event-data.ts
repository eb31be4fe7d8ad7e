/** Yields the data of server-sent events, parsed as JSON. Comments are left out. */
export async function* eventData<T>(text: AsyncIterable<string>): AsyncGenerator<T, void, undefined> {
  let rest = '';
  for await (const piece of text) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length));
    }
  }
}
