import type { CaseResult } from '../run/result.js';

/** Returns what a table shows for one case of one system. */
export function cellOf(results: readonly CaseResult[]): string {
  const [first] = results;
  if (first === undefined) return '';
  if (first.status.startsWith('not ')) return first.status;
  if (first.measures !== undefined)
    return first.measures.map(({ name }) => `${name} ${percent(results, name)}`).join(', ');
  const count = (status: CaseResult['status']): number => results.filter((one) => one.status === status).length;
  const [failed, broken] = [count('failed'), count('error')];
  const of = results.length === 1 ? '' : ` ${failed + broken} of ${results.length}`;
  if (failed > 0) return `FAILED${of}`;
  if (broken > 0) return `error${of}`;
  return results.length === 1 ? 'kept' : `kept ${results.length} of ${results.length}`;
}

function percent(results: readonly CaseResult[], name: string): string {
  const values = results.flatMap(({ measures = [] }) => measures.filter((one) => one.name === name));
  return ((values.reduce((sum, { value }) => sum + value, 0) / values.length) * 100).toFixed(1);
}
