import { date, expressionText, integer, strings } from '../../queries/endpoints/kinds.ts';
import { allowParameter } from '../../queries/endpoints/parameter.ts';
import { boundAnswer } from './bound-answer.ts';
import { readCanonical } from './check-source.ts';
import { declareTool } from './tool.ts';

const MAX_EVENTS = 100;

/** Values of an event with more members are cut. */
const MAX_MEMBERS = 200;

/** Shows raw events. */
export const SAMPLE_EVENTS = declareTool({
  name: 'sample_events',
  title: 'Sample events',
  description: 'Returns the first raw events, in order of time, that a filter selects.',
  parameters: {
    where: allowParameter(expressionText, 'Filters the events.'),
    event: allowParameter(strings, 'Names of the events. By default, all events.'),
    from_date: allowParameter(date, 'First day, inclusive.'),
    to_date: allowParameter(date, 'Last day, inclusive.'),
    limit: allowParameter(integer({ max: MAX_EVENTS }), 'Maximum number of events.', 10),
  },
  async run({ where, event, limit, ...dates }, data) {
    const context = { use: 'where', timeZone: await data.readTimeZone() } as const;
    const parameters = {
      ...(where !== undefined && { where: readCanonical('where', where, context) }),
      ...(event !== undefined && { event: JSON.stringify(event) }),
      ...Object.fromEntries(Object.entries(dates).filter(([, day]) => day !== undefined)),
    } as Record<string, string>;
    const { result, notes } = await data.run({ kind: 'sample', parameters, limit });
    const { answer, truncated } = boundAnswer(result.events, MAX_MEMBERS);
    return { ran: parameters, events: answer, has_more: result.hasMore, truncated, notes };
  },
});
