import type { Item, MatchCondition } from '@langchain/langgraph-checkpoint';
import { type Json, jsonEqual } from '@memhall/core';

type Compare = (value: unknown, wanted: unknown) => boolean;

const comparisons: Record<string, Compare> = {
  $eq: equals,
  $ne: (value, wanted) => !equals(value, wanted),
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.some((one) => equals(value, one)),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.some((one) => equals(value, one)),
};

/** Returns whether every named member meets its condition: an equal value, or operators such as `{$gte: 3}`. */
export function passesFilter({ value }: Item, filter: Record<string, unknown> = {}): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const operators = operatorsOf(wanted);
    if (operators === undefined) return equals(value[name], wanted);
    return operators.every(([operator, operand]) => comparisons[operator]?.(value[name], operand));
  });
}

/** Compares whole labels: `["user1"]` is not a prefix of `["user10"]`. */
export function isBelow(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= namespace.length && prefix.every((label, n) => label === namespace[n]);
}

export function meetsConditions(namespace: readonly string[], conditions: readonly MatchCondition[] = []): boolean {
  return conditions.every(({ matchType, path }) => {
    const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
    return path.length <= namespace.length && path.every((label, n) => label === '*' || label === namespace[from + n]);
  });
}

function operatorsOf(wanted: unknown): [string, unknown][] | undefined {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return undefined;
  const entries = Object.entries(wanted);
  return entries.length > 0 && entries.every(([name]) => name in comparisons) ? entries : undefined;
}

function equals(value: unknown, wanted: unknown): boolean {
  if (value === undefined || wanted === undefined) return value === wanted;
  return jsonEqual(value as Json, wanted as Json);
}
