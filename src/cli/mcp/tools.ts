import { CHECK_FILTER } from './check-filter.ts';
import { DESCRIBE_DATA } from './describe-data.ts';
import { EXPLAIN_FILTER } from './explain-filter.ts';
import { RELATE_FILTERS } from './relate-filters.ts';
import { REPAIR_FILTER } from './repair-filter.ts';
import { RUN_QUERY } from './run-query.ts';
import { SAMPLE_EVENTS } from './sample-events.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which a model needs them. */
export const TOOLS: readonly Tool[] = [
  DESCRIBE_DATA,
  CHECK_FILTER,
  REPAIR_FILTER,
  EXPLAIN_FILTER,
  RUN_QUERY,
  RELATE_FILTERS,
  SAMPLE_EVENTS,
];
