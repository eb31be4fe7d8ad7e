import { type LoadClient, occurrence, type Told } from './load-client.js';

interface AuditRecord {
  seq: number;
  request_id: string;
  operation: string;
  target: string;
}

/** Reads the whole audit log of the owner, page by page. Returns false if a page did not come. */
export async function readAuditLog(client: LoadClient): Promise<boolean> {
  const { tenant, user } = client.owner;
  const records: AuditRecord[] = [];
  let first: Told | undefined;
  for (let cursor = ''; ; ) {
    const query = `limit=100${cursor && `&cursor=${cursor}`}`;
    const told = await client.call({ path: `/v1/tenants/${tenant}/users/${user}/audit?${query}` });
    if (told.outcome !== 'done') return false;
    first ??= told;
    records.push(...told.body.records);
    cursor = told.body.next_cursor ?? '';
    if (cursor !== '') continue;
    // What counts is the log when its first page was read: later records are left out.
    const common = {
      ...occurrence(first),
      object: `${client.ownerName} audit`,
      model: 'list',
      action: 'read',
    } as const;
    client.record({ ...common, entries: requestsOf(records.reverse()) });
    return true;
  }
}

/** A request leaves one record for each thing that it changed. Two for the same thing mean that it took effect twice. */
function requestsOf(records: readonly AuditRecord[]): string[] {
  const targets = new Map<string, Set<string>>();
  return records.flatMap(({ request_id, operation, target }) => {
    const known = targets.get(request_id);
    const change = `${operation} ${target}`;
    if (known === undefined) targets.set(request_id, new Set([change]));
    else if (!known.has(change)) {
      known.add(change);
      return [];
    }
    return [request_id];
  });
}
