import type { Measurement } from '../results.ts';
import { SECTIONS } from '../sections.ts';
import { find, type Place, ratio } from './reference.ts';
import { shown } from './table.ts';

/** A change of less than this is noise. */
const NOISE = 0.15;

/**
 * What changed since earlier results, by the ratios to the reference, so that it does not matter which machine is
 * faster.
 */
export function compare(before: readonly Measurement[], after: readonly Measurement[]): string[] {
  return after.flatMap((measurement) => {
    const then = find(before, measurement);
    const title = `${measurement.section}, ${measurement.case}, ${measurement.engine}`;
    if (then === undefined) return [`${title}: new`];
    if (then.failed !== measurement.failed)
      return [`${title}: ${then.failed ?? 'ran'} → ${measurement.failed ?? 'runs'}`];
    return Object.keys(measurement.metrics ?? {}).flatMap((metric) => {
      const place: Place = { ...measurement, metric };
      const [old, now] = [ratio(before, place), ratio(after, place)];
      if (old === undefined || now === undefined || Math.abs(now / old - 1) < NOISE) return [];
      const change = now < old ? `${shown(old / now)} × faster` : `${shown(now / old)} × slower`;
      return [`${title}, ${metric}: ${shown(old)} → ${shown(now)} × ${SECTIONS[place.section].reference}, ${change}`];
    });
  });
}
