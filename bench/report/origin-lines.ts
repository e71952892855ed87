import type { Results, Run } from '../results.ts';
import type { Section } from '../sections.ts';

/** Describes the commit and the machine of a run in one sentence. */
function describeOrigin({ commit, date, dirty, machine: { node, cpu, cores } }: Run): string {
  const changes = dirty ? ', with uncommitted changes,' : '';
  return `Measured at ${commit.slice(0, 7)}${changes} on ${date}: Node.js ${node} on ${cores} cores of ${cpu}, medians.`;
}

/** Returns a sentence for each run that measured cases of a section. */
export function describeOrigins({ runs }: Results, section: Section): string[] {
  return runs.filter(({ measurements }) => measurements.some((one) => one.section === section)).map(describeOrigin);
}
