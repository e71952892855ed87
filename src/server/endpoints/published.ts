import { printable } from '../../util/printable.ts';
import { Refusal } from '../refusal.ts';

/** As much of a path as a message shows. */
const SHOWN = 200;

/** What the Data Export interface refuses, in its words. */
export const published = {
  missing: (parameter: string) => new Refusal(400, `Missing required parameter: ${parameter}`),
  invalid: (parameter: string) => new Refusal(400, `Invalid parameter: ${parameter}`),
  notJson: (parameter: string) => new Refusal(400, `Invalid JSON Format: ${parameter}`),
  noEndpoint: (path: string) => new Refusal(404, `Invalid endpoint: ${printable(path.slice(0, SHOWN))}`),
  dateRange: () => new Refusal(400, 'Invalid date range'),
  query: (kind: 'selector' | 'action', problem: string) => new Refusal(400, `Query Error in ${kind}, ${problem}`),
} as const;
