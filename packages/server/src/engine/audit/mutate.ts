import type { Scope, Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type SlowResults, withSlowResults } from '../slow-results.js';
import { type Mutation, toAuditRecord } from './audit-record.js';
import { refuseOffTheRecord } from './off-the-record.js';
import { toChanges } from './to-changes.js';

/** The outcome of a piece of work: its result, and the changes to record; none if it changed nothing. */
interface Done<T> {
  result: T;
  mutations: readonly Mutation[];
}

/** May run more than once, so it must have no effect outside its tables. */
export type Work<T> = (tables: Tables, now: Date) => Promise<Done<T>>;

/** The same, for work that needs results which take long to find. */
type SlowWork<T> = (tables: Tables, now: Date, slow: SlowResults) => Promise<Done<T>>;

/**
 * Changes data of the caller's user. The change and its audit records are one transaction. Throws OFF_THE_RECORD before the work begins
 * if the call asked for that: see `isOffTheRecord` for calls that have something to answer nevertheless.
 */
export function mutate<T>(engine: Engine, caller: Caller, work: SlowWork<T>): Promise<T> {
  return mutateIn(engine, scopeOf(caller), caller, work);
}

/** Changes rows in a scope that is not the caller's own, such as a namespace. The records go to the chain of the scope's user. */
export async function mutateIn<T>(engine: Engine, scope: Scope, caller: Caller, work: SlowWork<T>): Promise<T> {
  if (caller.offTheRecord?.isAsked) await refuseOffTheRecord(engine, caller);
  let isDue = false;
  const result = await withSlowResults((slow) => {
    const onDue = () => {
      isDue = true;
    };
    return engine.store.write(scope, (tables) =>
      recordMutations(engine, caller, tables, (own, now) => work(own, now, slow), onDue),
    );
  });
  if (isDue) engine.onDocumentsDue(scope.tenantId, scope.userId ?? '');
  return result;
}

/** Changes data of the tenant as a whole. The records go to the tenant's own chain. */
export async function mutateTenant<T>(
  engine: Pick<Engine, 'store' | 'clock'>,
  caller: Caller,
  work: SlowWork<T>,
): Promise<T> {
  const tenant = { ...caller, userId: '' };
  if (caller.offTheRecord?.isAsked) {
    await refuseOffTheRecord(engine, tenant, null, (note) => engine.store.administer(caller.tenantId, note));
  }
  return withSlowResults((slow) =>
    engine.store.administer(caller.tenantId, (tables) =>
      recordMutations(engine, tenant, tables, (own, now) => work(own, now, slow)),
    ),
  );
}

/** Queues the audit records of changes, and lists the changes for those who follow them. */
export function record(tables: Tables, caller: Caller, mutations: readonly Mutation[], now: Date): void {
  tables.audit.append(mutations.map((mutation) => toAuditRecord(caller, mutation, now)));
  tables.changes.append(toChanges(caller, mutations, now));
}

/**
 * Does the work, marks the memories of changed facts and queues the audit records. Fails if the owner was erased since the request came
 * in. `onDue` is called before the commit is confirmed if documents agree with changed facts.
 */
export async function recordMutations<T>(
  { clock }: Pick<Engine, 'clock'>,
  caller: Caller,
  tables: Tables,
  work: Work<T>,
  onDue: () => void = () => undefined,
): Promise<T> {
  const now = clock.now();
  const { result, mutations } = await work(tables, now);
  // Not awaited: it would cost a round trip. If it fails, so does the transaction.
  tables.facts.markTouched().then(
    (isDue) => isDue && onDue(),
    () => undefined,
  );
  record(tables, caller, mutations, now);
  return result;
}
