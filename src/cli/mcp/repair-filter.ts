import { format } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import { repair } from '../../api/repair.ts';
import { translate } from '../../api/translate.ts';
import { checkSource, listDiagnostics } from './check-source.ts';
import { FILTER, USE } from './filter-parameters.ts';
import { declareTool } from './tool.ts';

/** Corrects a filter. */
export const REPAIR_FILTER = declareTool({
  name: 'repair_filter',
  title: 'Repair a filter',
  description:
    'Corrects an expression with mistakes, or translates a filter of SQL, JavaScript, CEL, MongoDB, JSON Logic, Excel ' +
    'or Mixpanel. `certain` tells whether it surely says the same; otherwise `assumptions` says what to confirm. Does ' +
    'not run anything.',
  parameters: { filter: FILTER, use: USE },
  async run({ filter, use }, data) {
    const { schema, timeZone } = (await data.describe()).result;
    const known = { use, relations: findRelations, ...(schema !== undefined && { schema }) };
    const { source, fixes, translation } = repair(filter, { ...known, translate });
    const result = checkSource(source, { use, schema, timeZone });
    return {
      ok: result.ok,
      ...(result.ok && { expression: format(source), certain: true }),
      changes: fixes,
      translation,
      diagnostics: listDiagnostics(source, result),
    };
  },
});
