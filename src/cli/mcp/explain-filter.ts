import { explain, trace } from '../../api/explain.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { why } from '../../lang/explain/why.ts';
import type { Properties } from '../../lang/value.ts';
import type { ParameterKind } from '../../queries/endpoints/kinds.ts';
import { allowParameter } from '../../queries/endpoints/parameter.ts';
import { getUnixTime } from '../io.ts';
import { readCanonical } from './check-source.ts';
import { FILTER, USE } from './filter-parameters.ts';
import { declareTool } from './tool.ts';

const record: ParameterKind<JsonObject> = {
  takes: 'a JSON object',
  schema: { type: 'object' },
  read: (given) => (isJsonObject(given) ? given : undefined),
};

/** Explains a filter by its parts and, on a record, by their values. */
export const EXPLAIN_FILTER = declareTool({
  name: 'explain_filter',
  title: 'Explain a filter',
  description:
    'Shows the types of each part of an expression, the properties it reads and what it costs. With `properties` or ' +
    '`user`, shows the value of each part on that record, and why the record is selected or not.',
  parameters: {
    filter: FILTER,
    use: USE,
    properties: allowParameter(record, 'The properties of an event.'),
    user: allowParameter(record, 'The properties of the user of the event.'),
  },
  async run({ filter, use, properties, user }, data) {
    const timeZone = await data.readTimeZone();
    const expression = readCanonical('filter', filter, { use, timeZone });
    const { tree, properties: reads, cost } = explain(expression, { use, timeZone });
    if (properties === undefined && user === undefined) return { expression, tree, reads, cost };
    const now = getUnixTime({ now: Date.now });
    const traced = trace(expression, properties ?? {}, user as Properties | undefined, { use, timeZone, now });
    return { expression, reads, cost, tree: traced, why: why(traced) };
  },
});
