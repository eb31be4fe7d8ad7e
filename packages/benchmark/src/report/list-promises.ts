import type { Adapter } from '../adapter.js';
import { capabilities } from '../capabilities.js';
import { allCases } from '../cases/all-cases.js';

/** Returns what the cases are about, and what each system claims. */
export function listPromises(adapters: readonly Adapter[]): string {
  return [
    'Cases, and the claims that they need:',
    ...allCases.map(
      ({ id, title, needs }) => `  ${id}: ${title}.${needs.length === 0 ? '' : ` (${needs.join(', ')})`}`,
    ),
    '',
    'Claims:',
    ...Object.entries(capabilities).map(([name, meaning]) => `  ${name}: ${meaning}`),
    ...adapters.flatMap(({ name, title, settings, documentation, claims }) => [
      '',
      `${name}: ${title}. ${settings} ${documentation}`,
      ...Object.entries(claims).map(
        ([capability, { claimed, note }]) => `  ${claimed ? 'claimed' : 'not claimed'} ${capability}: ${note}`,
      ),
    ]),
    '',
  ].join('\n');
}
