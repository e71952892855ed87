import { escapeUnprintable } from '../../base/strings.ts';
import { HttpError } from '../http-error.ts';

/** Longer paths are cut in error messages. */
const MAX_PATH_LENGTH = 200;

/** The published error messages of the query interface, each followed by the reason. */
export const apiErrors = {
  missing: (parameter: string) => new HttpError(400, `Missing required parameter: ${parameter}`),
  invalid: (parameter: string, reason: string) => new HttpError(400, `Invalid parameter: ${parameter}. ${reason}`),
  notJson: (parameter: string, reason: string) => new HttpError(400, `Invalid JSON Format: ${parameter}. ${reason}`),
  noEndpoint: (path: string) =>
    new HttpError(404, `Invalid endpoint: ${escapeUnprintable(path.slice(0, MAX_PATH_LENGTH))}`),
  dateRange: (reason: string) => new HttpError(400, `Invalid date range. ${reason}`),
  query: (kind: 'selector' | 'action', problem: string) => new HttpError(400, `Query Error in ${kind}, ${problem}`),
} as const;
