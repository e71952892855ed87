import { format } from '../../api/expressions.ts';
import { checkSource, listDiagnostics } from './check-source.ts';
import { FILTER, USE } from './filter-parameters.ts';
import { declareTool } from './tool.ts';

/** Tells whether a filter is valid, and what is wrong with it. */
export const CHECK_FILTER = declareTool({
  name: 'check_filter',
  title: 'Check a filter',
  description:
    'Checks an expression without running it, against the properties and values of the data. Returns every error and ' +
    'warning with its place, what to write instead, and a `fix` where there is exactly one.',
  parameters: { filter: FILTER, use: USE },
  async run({ filter, use }, data) {
    const { schema, timeZone } = (await data.describe()).result;
    const result = checkSource(filter, { use, schema, timeZone });
    const { ok, types, properties } = result;
    return {
      ok,
      ...(ok && { expression: format(filter), types, properties }),
      diagnostics: listDiagnostics(filter, result),
    };
  },
});
