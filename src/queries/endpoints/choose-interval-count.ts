import { MAX_NUMBERS } from '../answer-limits.ts';
import { Buckets } from '../buckets.ts';
import { QueryError } from '../errors.ts';
import { HttpError } from '../http-error.ts';
import { readDates } from './dates.ts';
import { type QueryParameters, readParameters } from './parameter.ts';
import { RETENTION_PARAMETERS } from './retention.ts';
import { readBucketSize } from './series-parameters.ts';

/** More intervals are only shown on request: three months of days. */
const MAX_CHOSEN = 90;

/**
 * Returns the `interval_count` of `/retention` that people are shown if they set none: as many intervals as the dates have,
 * so that the first cohort is followed up to the last date. At least 1, at most 90, and no more than an answer can have.
 * Undefined if the request is invalid; the query says why.
 */
export function chooseIntervalCount(parameters: QueryParameters): number | undefined {
  try {
    const values = readParameters(RETENTION_PARAMETERS, parameters);
    const { labels } = Buckets.by(readDates(values), readBucketSize(values), 'UTC');
    const segments = values.on === undefined ? 1 : values.limit;
    const most = Math.floor(MAX_NUMBERS / labels.length / segments) - 2;
    return Math.max(1, Math.min(labels.length - 1, MAX_CHOSEN, most));
  } catch (error) {
    if (error instanceof HttpError || error instanceof QueryError) return undefined;
    throw error;
  }
}
