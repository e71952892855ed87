import { measurementsOf, type Results } from '../results.ts';
import { chart } from './chart.ts';
import { MAIN_TABLE } from './report.ts';

/** The chart above the table of engines. */
export function mainChart(results: Results): string {
  return chart(measurementsOf(results), MAIN_TABLE, 'A filter over 100,000 events, nanoseconds per event');
}
