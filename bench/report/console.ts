import type { Measurement } from '../results.ts';
import { SECTIONS } from '../sections.ts';
import { computeRatio } from './reference.ts';
import { formatNumber } from './table.ts';

/** Formats the measurements of one case as lines for the terminal. */
export function formatCase(measurements: readonly Measurement[]): string[] {
  const [first] = measurements;
  if (first === undefined) return [];
  const metrics = Object.keys(measurements.find((one) => one.metrics !== undefined)?.metrics ?? {});
  const head = `\n${first.section}: ${first.case}, ${SECTIONS[first.section].unit}`.padEnd(41);
  return [
    head + metrics.map((metric) => metric.padStart(22)).join(''),
    ...measurements.map(
      (one) =>
        `  ${one.engine.padEnd(38)}${one.failed ?? metrics.map((metric) => formatCell(measurements, one, metric)).join('')}`,
    ),
  ];
}

function formatCell(measurements: readonly Measurement[], one: Measurement, metric: string): string {
  const summary = one.metrics?.[metric];
  if (summary === undefined) return ''.padStart(22);
  const times = computeRatio(measurements, { ...one, metric });
  return (
    formatNumber(summary.median).padStart(12) + (times === undefined ? '' : `${formatNumber(times)} ×`).padStart(10)
  );
}
