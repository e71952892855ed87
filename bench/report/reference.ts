import type { Measurement } from '../results.ts';
import { SECTIONS, type Section } from '../sections.ts';

/** The place of a number in the results. */
export interface Place {
  readonly section: Section;
  readonly case: string;
  readonly engine: string;
  readonly metric: string;
}

/** Returns the measurement of an engine on a case. */
export function findMeasurement(
  measurements: readonly Measurement[],
  place: Omit<Place, 'metric'>,
): Measurement | undefined {
  return measurements.find(
    ({ section, case: name, engine }) => section === place.section && name === place.case && engine === place.engine,
  );
}

/** Returns the ratio of a median to that of the reference; undefined if one of them is missing. */
export function computeRatio(measurements: readonly Measurement[], place: Place): number | undefined {
  const median = (engine: string) =>
    findMeasurement(measurements, { ...place, engine })?.metrics?.[place.metric]?.median;
  const [own, reference] = [median(place.engine), median(SECTIONS[place.section].reference)];
  return own === undefined || reference === undefined ? undefined : own / reference;
}
