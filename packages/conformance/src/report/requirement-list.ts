import { groupOf, type Requirement, type Suite } from '../suite.js';

/** Formats the requirements of a suite as text. */
export function toRequirementList(suite: Pick<Suite<unknown, unknown>, 'groups' | 'requirements'>): string {
  const width = Math.max(...suite.requirements.map(({ id }) => id.length));
  const groups = Object.entries(suite.groups).map(([group, title]) => {
    const own = suite.requirements.filter(({ id }) => groupOf(id) === group);
    const lines = own.map(
      (one) => `  ${one.id.padEnd(width)}  ${one.level.padEnd(6)}  ${one.sentence}${condition(one)}`,
    );
    return [title, ...lines].join('\n');
  });
  return `${groups.join('\n\n')}\n`;
}

function condition({ needs = [], lacks }: Requirement): string {
  if (lacks !== undefined) return ` [without ${lacks}]`;
  return needs.length === 0 ? '' : ` [${needs.join(', ')}]`;
}
