import { type Node, namesOf } from './tree.js';

/** What can be said of the tenant of a relation: a key in the classes of equal values. */
type Tenant = string;

/** The relations that a name can refer to, inside out. */
interface Level {
  /** Tenants by alias. Undefined for relations without one. */
  relations: Map<string, Tenant | undefined>;
  /** Tenants of common table expressions. */
  queries: Map<string, Tenant | undefined>;
  outer: Level | undefined;
}

const constant = (text: string): Tenant => `constant ${text}`;

/**
 * Finds out whether every distributed table of a statement is bound to one tenant: by comparing its `tenant_id` with a parameter, or with
 * the `tenant_id` of one that is.
 */
export class TenantPins {
  readonly #distributed: ReadonlySet<string>;
  readonly #classes = new Map<Tenant, Tenant>();
  readonly #tables: { name: string; tenant: Tenant }[] = [];
  readonly #visitors: Readonly<Record<string, (content: Node, level: Level) => Tenant | undefined>> = {
    SelectStmt: (content, level) => this.#select(content, level),
    InsertStmt: (content, level) => this.#insert(content, level),
    UpdateStmt: (content, level) => this.#change(content, level),
    DeleteStmt: (content, level) => this.#change(content, level),
  };

  constructor(distributed: ReadonlySet<string>, statement: Node) {
    this.#distributed = distributed;
    this.#statement(statement, undefined);
  }

  get tables(): number {
    return this.#tables.length;
  }

  faults(): string[] {
    const loose = this.#tables.filter(({ tenant }) => !this.#find(tenant).startsWith('constant'));
    const tenants = new Set(this.#tables.map(({ tenant }) => this.#find(tenant)));
    return [
      ...loose.map(({ name }) => `does not say of which tenant the rows of ${name} are`),
      ...(loose.length === 0 && tenants.size > 1 ? ['has tables of different tenants'] : []),
    ];
  }

  /** Returns the tenant of the rows that a statement returns, if it returns a column of that name. */
  #statement(statement: Node, outer: Level | undefined): Tenant | undefined {
    return this.#visit(statement, outer).output;
  }

  #visit(statement: Node, outer: Level | undefined): { level: Level; output: Tenant | undefined } {
    const [[kind, content] = ['', {}]] = Object.entries(statement) as [string, Node][];
    const level: Level = { relations: new Map(), queries: new Map(), outer };
    const { ctes = [] } = (content.withClause ?? {}) as { ctes?: { CommonTableExpr: Node }[] };
    for (const { CommonTableExpr: query } of ctes) {
      level.queries.set(query.ctename as string, undefined);
      level.queries.set(query.ctename as string, this.#statement(query.ctequery as Node, level));
    }
    return { level, output: this.#visitors[kind]?.(content, level) };
  }

  #select(select: Node, level: Level): Tenant | undefined {
    if (select.larg !== undefined) {
      const left = this.#statement({ SelectStmt: select.larg }, level);
      const right = this.#statement({ SelectStmt: select.rarg }, level);
      if (left !== undefined && right !== undefined) this.#join(left, right);
      return left;
    }
    for (const item of (select.fromClause ?? []) as Node[]) this.#from(item, level);
    this.#condition(select.whereClause, level);
    for (const part of ['targetList', 'groupClause', 'havingClause', 'sortClause', 'limitCount', 'valuesLists']) {
      this.#nested(select[part], level);
    }
    return this.#outputOf(select.targetList, level);
  }

  #insert(insert: Node, level: Level): Tenant | undefined {
    const target = this.#table(insert.relation as Node, level);
    const names = ((insert.cols ?? []) as { ResTarget: Node }[]).map(({ ResTarget: { name } }) => name);
    const place = names.indexOf('tenant_id');
    const source = (insert.selectStmt as { SelectStmt: Node }).SelectStmt;
    const inner = this.#visit({ SelectStmt: source }, level).level;
    const [row] = (source.valuesLists ?? []) as { List: { items: Node[] } }[];
    const value = row?.List.items[place] ?? ((source.targetList ?? []) as { ResTarget: Node }[])[place]?.ResTarget.val;
    const given = value === undefined ? undefined : this.#tenantOf(value as Node, inner);
    if (target !== undefined && given !== undefined) this.#join(target, given);
    this.#nested(insert.onConflictClause, level);
    return this.#outputOf(insert.returningList, level);
  }

  #change(change: Node, level: Level): Tenant | undefined {
    this.#table(change.relation as Node, level);
    for (const item of (change.fromClause ?? change.usingClause ?? []) as Node[]) this.#from(item, level);
    this.#condition(change.whereClause, level);
    this.#nested(change.targetList, level);
    return this.#outputOf(change.returningList, level);
  }

  #from(item: Node, level: Level): void {
    const [[kind, content] = ['', {}]] = Object.entries(item) as [string, Node][];
    const alias = (content.alias as Node | undefined)?.aliasname as string | undefined;
    if (kind === 'RangeVar') this.#table(content, level);
    else if (kind === 'RangeSubselect') {
      level.relations.set(alias ?? '', this.#statement(content.subquery as Node, level));
    } else if (kind === 'JoinExpr') {
      const before = new Set(level.relations.keys());
      this.#from(content.larg as Node, level);
      const left = [...level.relations].filter(([name]) => !before.has(name));
      this.#from(content.rarg as Node, level);
      const right = [...level.relations].filter(([name]) => !before.has(name) && !left.some(([one]) => one === name));
      if (namesOf(content.usingClause).includes('tenant_id')) {
        const tenants = [...left, ...right].flatMap(([, tenant]) => tenant ?? []);
        for (const tenant of tenants) this.#join(tenants[0] as Tenant, tenant);
      }
      this.#condition(content.quals, level);
    } else {
      level.relations.set(alias ?? '', undefined);
      this.#nested(content, level);
    }
  }

  /** Adds a table, or a query of a WITH, to the level. */
  #table({ schemaname, relname, alias }: Node, level: Level): Tenant | undefined {
    const name = relname as string;
    const known = ((alias as Node | undefined)?.aliasname as string | undefined) ?? name;
    if (schemaname === undefined) {
      level.relations.set(known, queryOf(level, name));
      return undefined;
    }
    if (schemaname !== 'memhall' || !this.#distributed.has(name)) return undefined;
    const tenant = `${name} ${this.#classes.size}`;
    this.#classes.set(tenant, tenant);
    this.#tables.push({ name, tenant });
    level.relations.set(known, tenant);
    return tenant;
  }

  /** Takes over the equalities that hold whenever a condition does. */
  #condition(condition: unknown, level: Level): void {
    if (condition === undefined) return;
    const { BoolExpr: bool, A_Expr: compared } = condition as { BoolExpr?: Node; A_Expr?: Node };
    if (bool?.boolop === 'AND_EXPR') {
      for (const part of bool.args as unknown[]) this.#condition(part, level);
      return;
    }
    if (compared?.kind === 'AEXPR_OP' && namesOf(compared.name).join() === '=') {
      this.#equal(compared.lexpr as Node, compared.rexpr as Node, level);
    }
    this.#nested(condition, level);
  }

  #equal(left: Node, right: Node, level: Level): void {
    const [one, other] = [left, right].map(({ RowExpr: row }) => (row as Node | undefined)?.args as Node[] | undefined);
    if (one !== undefined && other !== undefined) {
      for (const [index, part] of one.entries()) this.#equal(part, other[index] as Node, level);
      return;
    }
    const tenants = [left, right].map((side) => this.#tenantOf(side, level));
    if (tenants[0] !== undefined && tenants[1] !== undefined) this.#join(tenants[0], tenants[1]);
  }

  #tenantOf(value: Node, level: Level): Tenant | undefined {
    const { ParamRef: parameter, A_Const: literal, TypeCast: cast, ColumnRef: column } = value as Record<string, Node>;
    if (parameter !== undefined) return constant(`$${parameter.number}`);
    if (literal !== undefined) return constant(JSON.stringify(literal.sval));
    if (cast !== undefined) return this.#tenantOf(cast.arg as Node, level);
    const names = namesOf(column?.fields);
    if (names.at(-1) !== 'tenant_id') {
      // In functions of the database, parameters have names.
      return names.length === 1 && names[0] === 'p_tenant_id' ? constant('p_tenant_id') : undefined;
    }
    for (let here: Level | undefined = level; here !== undefined; here = here.outer) {
      if (names.length > 1) {
        const found = here.relations.get(names.at(-2) ?? '');
        if (found !== undefined) return found;
      } else {
        const [found] = [...here.relations.values()].filter((tenant) => tenant !== undefined);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #outputOf(targets: unknown, level: Level): Tenant | undefined {
    for (const { ResTarget: target } of (targets ?? []) as { ResTarget: Node }[]) {
      const { ColumnRef: column } = target.val as { ColumnRef?: Node };
      const names = namesOf(column?.fields);
      if (names.at(-1) === 'tenant_id' && (target.name ?? 'tenant_id') === 'tenant_id') {
        return this.#tenantOf(target.val as Node, level);
      }
      if (names.at(-1) === '*') {
        const [found] =
          names.length > 1
            ? [level.relations.get(names[0] as string)]
            : [...level.relations.values()].filter((tenant) => tenant !== undefined);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Looks into the queries of an expression. */
  #nested(tree: unknown, level: Level): void {
    if (Array.isArray(tree)) for (const part of tree) this.#nested(part, level);
    else if (tree !== null && typeof tree === 'object') {
      for (const [name, value] of Object.entries(tree)) {
        if (name === 'SelectStmt') this.#statement({ SelectStmt: value }, level);
        else this.#nested(value, level);
      }
    }
  }

  #join(one: Tenant, other: Tenant): void {
    const [left, right] = [this.#find(one), this.#find(other)];
    if (left === right) return;
    if (left.startsWith('constant')) this.#classes.set(right, left);
    else this.#classes.set(left, right);
  }

  #find(tenant: Tenant): Tenant {
    let found = tenant;
    for (let next = this.#classes.get(found); next !== undefined && next !== found; next = this.#classes.get(found)) {
      found = next;
    }
    return found;
  }
}

function queryOf(level: Level, name: string): Tenant | undefined {
  for (let here: Level | undefined = level; here !== undefined; here = here.outer) {
    if (here.queries.has(name)) return here.queries.get(name);
  }
  return undefined;
}
