import { relate, simplify } from '../../api/relate.ts';
import { expressionText } from '../../queries/endpoints/kinds.ts';
import { requireParameter } from '../../queries/endpoints/parameter.ts';
import { readCanonical } from './check-source.ts';
import { declareTool } from './tool.ts';

/** Compares two filters for all records. */
export const RELATE_FILTERS = declareTool({
  name: 'relate_filters',
  title: 'Relate two filters',
  description:
    'Tells how the records that two filters select relate, proved for all records and not only for those of the data: ' +
    '`equal`, `implies` (right selects all that left does), `implied-by`, `disjoint`, `overlap` or `unknown`. Shows ' +
    'records that tell them apart, and the shortest form of each.',
  parameters: {
    left: requireParameter(expressionText, 'A filter.'),
    right: requireParameter(expressionText, 'The filter to compare it with.'),
  },
  async run({ left, right }, data) {
    const timeZone = await data.readTimeZone();
    const context = { use: 'where', timeZone } as const;
    const [one, other] = [readCanonical('left', left, context), readCanonical('right', right, context)];
    const options = { timeZone };
    return {
      left: one,
      right: other,
      ...relate(one, other, options),
      shortest: { left: simplify(one, options), right: simplify(other, options) },
    };
  },
});
