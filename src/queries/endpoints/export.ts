import { EVENT_SCHEMA } from './answer-schemas.ts';
import { DATASET_PARAMETERS, getTarget } from './dataset-parameters.ts';
import { readDates } from './dates.ts';
import { declareEndpoint, type Endpoint } from './endpoint.ts';
import { date, expressionText, integer, strings } from './kinds.ts';
import { allowParameter } from './parameter.ts';

/** The endpoint that returns raw events. */
export const EXPORT: readonly Endpoint[] = [
  declareEndpoint({
    path: '/export',
    schema: EVENT_SCHEMA,
    hasLines: true,
    group: 'export',
    summary: 'Raw events as NDJSON, one a line, ordered by time, user, name and properties',
    parameters: {
      from_date: allowParameter(
        date,
        'First day, in the time zone of the project. By default, that of the first event.',
      ),
      to_date: allowParameter(date, 'Last day, inclusive. By default, that of the last event.'),
      event: allowParameter(strings, 'Names of the events. By default, all events.'),
      where: allowParameter(expressionText, 'Filters the events.'),
      from_time: allowParameter(
        integer({ min: 0 }),
        'Only events at this time or later, in Unix seconds. Resumes an export, whose order is always the same.',
      ),
      ...DATASET_PARAMETERS,
    },
    example: {
      event: '["purchase"]',
      from_date: '2025-06-01',
      to_date: '2025-06-03',
      where: 'properties["amount"] > 100',
    },
    async handle(values, context) {
      const { from_date, to_date, event, where, from_time } = values;
      if (from_date !== undefined && to_date !== undefined) readDates({ from_date, to_date });
      const request = { from: from_date, to: to_date, fromTime: from_time, events: event, where };
      const text = await context.services.exportEvents(getTarget(context, values), request);
      return { type: 'application/x-ndjson', text };
    },
  }),
];
