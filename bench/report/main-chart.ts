import { listMeasurements, type Results } from '../results.ts';
import { renderChart } from './chart.ts';
import { MAIN_TABLE } from './report.ts';

/** Renders the chart above the table of engines. */
export function renderMainChart(results: Results): string {
  return renderChart(listMeasurements(results), MAIN_TABLE, 'A filter over 100,000 events, nanoseconds per event');
}
