import { loadModule, type ParseResult, parseSync } from 'libpg-query';
import { TenantPins } from './tenant-pins.js';
import { callName, type Node, nodesIn } from './tree.js';

await loadModule();

/** What a database that is distributed by tenant knows of tables and functions. */
export interface Catalog {
  /** Tables with a tenant, without their schema. */
  distributed: ReadonlySet<string>;
  /** The volatilities of all functions of a name: `i`, `s`, `v`. */
  volatility: ReadonlyMap<string, string>;
}

interface Circumstances {
  /** True in transactions that read across tenants: they see no content. */
  isAcrossTenants: boolean;
  /** True if settings have to reach other nodes. */
  isDistributed: boolean;
}

const writes = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const;
/** Casts from and to these depend on settings. */
const settingTypes = new Set(['timestamptz', 'timestamp', 'date', 'time', 'interval']);

/** Returns what a distributed database would refuse, or run in the wrong place, in a statement. */
export function faultsOf(text: string, catalog: Catalog, circumstances: Circumstances): string[] {
  const { stmts = [] }: ParseResult = parseSync(text);
  return stmts.flatMap(({ stmt }) => (stmt === undefined ? [] : faultsIn(stmt as Node, catalog, circumstances)));
}

function faultsIn(statement: Node, catalog: Catalog, { isAcrossTenants, isDistributed }: Circumstances): string[] {
  const isWrite = writes.some((kind) => nodesIn(statement, kind).length > 0);
  const pins = new TenantPins(catalog.distributed, statement);
  const calls = nodesIn(statement, 'FuncCall').map(callName);
  const faults: string[] = [];
  if (nodesIn(statement, 'SelectStmt').some(isEmpty)) faults.push('selects no column');
  if (!isAcrossTenants || isWrite) faults.push(...pins.faults());
  if (pins.tables > 0 && calls.some((name) => name.includes('advisory'))) faults.push('takes a lock where the data is');
  if (isDistributed && calls.includes('set_config')) faults.push('uses set_config, which stays on one node');
  if (isWrite && pins.tables > 0) faults.push(...mutableCalls(statement, catalog), ...mutableCasts(statement));
  return [...new Set(faults)];
}

function isEmpty({ targetList, valuesLists, op }: Node): boolean {
  return targetList === undefined && valuesLists === undefined && (op === undefined || op === 'SETOP_NONE');
}

/** A row that is inserted as it is given is completed on one node. What changes rows where they are has to be the same everywhere. */
function mutableCalls(statement: Node, { volatility }: Catalog): string[] {
  const given = new Set(nodesIn(statement, 'InsertStmt').flatMap(({ selectStmt }) => valuesOf(selectStmt)));
  const changing = new Set(changesIn(statement).flatMap((change) => nodesIn(change, 'FuncCall')));
  return nodesIn(statement, 'FuncCall').flatMap((call) => {
    const name = callName(call);
    const kinds = volatility.get(name) ?? '';
    if (kinds === '') return [`calls ${name}, which is unknown`];
    if (kinds.includes('v') && !given.has(call)) return [`writes with ${name}, which is volatile`];
    const hasColumn = nodesIn(call, 'ColumnRef').length > 0;
    return changing.has(call) && kinds.includes('s') && hasColumn && !isOfFixedTypes(name)
      ? [`writes with ${name} of a column, which is stable`]
      : [];
  });
}

/** Stable for other types than those it is called with here: JSON, text and numbers. */
function isOfFixedTypes(name: string): boolean {
  return ['array_agg', 'count', 'min', 'max', 'sum'].includes(name);
}

function valuesOf(selectStmt: unknown): Node[] {
  const { valuesLists } = (selectStmt as { SelectStmt?: Node } | undefined)?.SelectStmt ?? {};
  return valuesLists === undefined ? [] : nodesIn({ valuesLists } as Node, 'FuncCall');
}

function changesIn(statement: Node): Node[] {
  return [...nodesIn(statement, 'UpdateStmt'), ...nodesIn(statement, 'DeleteStmt')];
}

function mutableCasts(statement: Node): string[] {
  return changesIn(statement)
    .flatMap((change) => nodesIn(change, 'TypeCast'))
    .flatMap((cast) => {
      const names = (cast.typeName as { names?: { String: { sval: string } }[] }).names ?? [];
      const type = names.at(-1)?.String.sval ?? '';
      const isOfColumn = nodesIn({ arg: cast.arg } as Node, 'ColumnRef').length > 0;
      return settingTypes.has(type) && isOfColumn
        ? [`writes with a cast of a column to ${type}, which depends on settings`]
        : [];
    });
}
