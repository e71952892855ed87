import { format } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import { repair } from '../../api/repair.ts';
import { translate } from '../../api/translate.ts';
import { checkSource, listDiagnostics } from './check-source.ts';
import { FILTER, USE } from './filter-parameters.ts';
import { guessFilter, isLikelyRight } from './guess/guess-filter.ts';
import { declareTool } from './tool.ts';

/** Corrects a filter, and says whether the result is certain. */
export const REPAIR_FILTER = declareTool({
  name: 'repair_filter',
  title: 'Repair a filter',
  description:
    'Corrects an expression with mistakes, or translates a filter of SQL, JavaScript, CEL, MongoDB, JSON Logic, Excel ' +
    'or Mixpanel. With `certain: true`, the result surely says the same. Else `assumptions` lists what to confirm ' +
    'before you use it. Does not run anything.',
  parameters: { filter: FILTER, use: USE },
  async run({ filter, use }, data) {
    const { schema, timeZone } = (await data.describe()).result;
    const options = { use, relations: findRelations, ...(schema !== undefined && { schema }) };
    const { source, fixes, translation } = repair(filter, { ...options, translate });
    const guess = isLikelyRight(source, options) ? undefined : guessFilter(filter, options);
    const repaired = guess?.source ?? source;
    const result = checkSource(repaired, { use, schema, timeZone });
    return {
      ok: result.ok,
      ...(result.ok && { expression: format(repaired), certain: guess === undefined }),
      ...(guess === undefined ? { changes: fixes, translation } : { assumptions: guess.assumptions }),
      diagnostics: listDiagnostics(repaired, result),
    };
  },
});
