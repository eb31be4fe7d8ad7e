const mark = 'plugin:';

/** Returns the id of a memory of an outside plugin as callers see it: a plugin chooses its ids, and they could equal ours. */
export function toMarkedId(id: string): string {
  return `${mark}${id}`;
}

/** Returns the plugin's own id, or undefined for an id without the mark. */
export function fromMarkedId(id: string): string | undefined {
  return id.startsWith(mark) ? id.slice(mark.length) : undefined;
}
