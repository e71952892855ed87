import type { Machine, Measurement, Section } from '../results.ts';

/** The machine in one sentence. */
export function machineLine({ node, cpu, cores }: Machine): string {
  return `Node.js ${node} on ${cores} cores of ${cpu}, medians.`;
}

/** A sentence for each other machine on which cases of a section were run. */
export function otherMachines(measurements: readonly Measurement[], section: Section): string[] {
  const lines = measurements.flatMap((one) =>
    one.section === section && one.machine !== undefined ? [machineLine(one.machine)] : [],
  );
  return [...new Set(lines)];
}
