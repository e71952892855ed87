import type { Measurement } from '../results.ts';
import { SECTIONS } from '../sections.ts';
import { computeRatio, findMeasurement, type Place } from './reference.ts';
import { formatNumber } from './table.ts';

/** Smaller changes are noise. */
const NOISE = 0.15;

/**
 * Returns a line for each change since earlier results. It compares ratios to the reference, which are independent of
 * the speed of the machine.
 */
export function compare(before: readonly Measurement[], after: readonly Measurement[]): string[] {
  return after.flatMap((measurement) => {
    const then = findMeasurement(before, measurement);
    const title = `${measurement.section}, ${measurement.case}, ${measurement.engine}`;
    if (then === undefined) return [`${title}: new`];
    if (then.failed !== measurement.failed)
      return [`${title}: ${then.failed ?? 'ran'} → ${measurement.failed ?? 'runs'}`];
    return Object.keys(measurement.metrics ?? {}).flatMap((metric) => {
      const place: Place = { ...measurement, metric };
      const [old, now] = [computeRatio(before, place), computeRatio(after, place)];
      if (old === undefined || now === undefined || Math.abs(now / old - 1) < NOISE) return [];
      const change = now < old ? `${formatNumber(old / now)} × faster` : `${formatNumber(now / old)} × slower`;
      return [
        `${title}, ${metric}: ${formatNumber(old)} → ${formatNumber(now)} × ${SECTIONS[place.section].reference}, ${change}`,
      ];
    });
  });
}
