import { USES } from '../../lang/check/check.ts';
import { choice, expressionText } from '../../queries/endpoints/kinds.ts';
import { allowParameter, requireParameter } from '../../queries/endpoints/parameter.ts';

/** The parameter of an expression that a tool only reads. */
export const FILTER = requireParameter(expressionText, 'The expression, such as `properties["plan"] == "pro"`.');

/** The parameter that says how an expression is used. */
export const USE = allowParameter(
  choice(...USES),
  'What the expression is for: `where` filters, `on` groups, `number` is summed or averaged, `value` is any value.',
  'where',
);
