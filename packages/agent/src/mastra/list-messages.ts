import type { MastraRecords } from './mastra-records.js';
import {
  type Include,
  type MastraMessage,
  type MessageFilter,
  type OrderBy,
  type Page,
  toPage,
} from './mastra-types.js';

export interface MessageList {
  threadIds: readonly string[];
  resourceId?: string | undefined;
  include?: readonly Include[] | undefined;
  filter?: MessageFilter | undefined;
  page: number;
  perPage: number | false;
  direction: NonNullable<OrderBy['direction']>;
}

/** Returns a page of messages and, in order among them, those that are included with their neighbours. */
export async function listMessages(records: MastraRecords, list: MessageList): Promise<Page<MastraMessage>> {
  const { threadIds, resourceId, include = [], filter = {}, page, perPage, direction } = list;
  const threads = await Promise.all(threadIds.map((id) => records.messages(id)));
  const matching = threads
    .flat()
    .filter((message) => ofResource(message, resourceId) && passes(message, filter))
    .sort(byTime(direction));
  const cut = toPage(matching, page, perPage);
  const items = new Map(cut.items.map((message) => [message.id, message]));
  if (include.length === 0) return cut;
  for (const message of await included(records, include, resourceId)) items.set(message.id, message);
  const listed = [...items.values()].filter(({ threadId = '' }) => threadIds.includes(threadId));
  return { ...cut, items: [...items.values()].sort(byTime(direction)), hasMore: listed.length < cut.total };
}

async function included(
  records: MastraRecords,
  include: readonly Include[],
  resourceId: string | undefined,
): Promise<MastraMessage[]> {
  const windows = await Promise.all(
    include.map(async ({ id, withPreviousMessages = 0, withNextMessages = 0 }) => {
      const message = await records.message(id);
      if (message?.threadId === undefined || !ofResource(message, resourceId)) return [];
      const around = (await records.messages(message.threadId)).filter((one) => ofResource(one, resourceId));
      const at = around.findIndex((one) => one.id === id);
      return at === -1 ? [] : around.slice(Math.max(0, at - withPreviousMessages), at + withNextMessages + 1);
    }),
  );
  return windows.flat();
}

function ofResource(message: MastraMessage, resourceId: string | undefined): boolean {
  return resourceId === undefined || message.resourceId === resourceId;
}

function passes({ createdAt, content }: MastraMessage, { dateRange = {}, metadata = {} }: MessageFilter): boolean {
  const { start, end, startExclusive = false, endExclusive = false } = dateRange;
  const time = createdAt.getTime();
  if (start !== undefined && (startExclusive ? time <= start.getTime() : time < start.getTime())) return false;
  if (end !== undefined && (endExclusive ? time >= end.getTime() : time > end.getTime())) return false;
  return Object.entries(metadata).every(([name, value]) => content?.metadata?.[name] === value);
}

function byTime(direction: 'ASC' | 'DESC') {
  const sign = direction === 'ASC' ? 1 : -1;
  return (a: MastraMessage, b: MastraMessage) => sign * (a.createdAt.getTime() - b.createdAt.getTime());
}
