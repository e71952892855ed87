import { escapeUnprintable } from '../../../lang/util/strings.ts';
import { HttpError } from '../http-error.ts';

/** As much of a path as a message shows. */
const SHOWN = 200;

/** Refusals in the words of the Data Export interface, each followed by the reason. */
export const apiErrors = {
  missing: (parameter: string) => new HttpError(400, `Missing required parameter: ${parameter}`),
  invalid: (parameter: string, reason: string) => new HttpError(400, `Invalid parameter: ${parameter}. ${reason}`),
  notJson: (parameter: string, reason: string) => new HttpError(400, `Invalid JSON Format: ${parameter}. ${reason}`),
  noEndpoint: (path: string) => new HttpError(404, `Invalid endpoint: ${escapeUnprintable(path.slice(0, SHOWN))}`),
  dateRange: (reason: string) => new HttpError(400, `Invalid date range. ${reason}`),
  query: (kind: 'selector' | 'action', problem: string) => new HttpError(400, `Query Error in ${kind}, ${problem}`),
} as const;
