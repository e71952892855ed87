import {
  check,
  compile,
  compileNumber,
  compileOn,
  compileWhere,
  createWhereValidator,
  format,
  parse,
} from '../../dist/core.js';

const ERRORS = { ExpressionSyntaxError: 'syntax', ExpressionCheckError: 'type', ExpressionTypeError: 'type' };

/** Evaluates a vector and returns the result in the format of the vectors. */
function evaluate({ expr, props, user, now = 0, timeZone = 'UTC', where = false }) {
  try {
    const value = (where ? compileWhere : compile)(expr, { now, timeZone })(props, user);
    return value === undefined ? { undefined: true } : { value };
  } catch (error) {
    return { error: ERRORS[error.name] ?? String(error) };
  }
}

const wrong = 'properties["plan"] = "pro"';

globalThis.results = {
  parsed: parse('1 + 2').kind,
  formatted: format('(properties["a"])==1'),
  checked: check(wrong).diagnostics.map(({ help }) => help),
  validated: createWhereValidator()
    ['~standard'].validate(wrong)
    .issues.map(({ message }) => message),
  where: compileWhere('properties["plan"] in ["pro", "team"]')({ plan: 'team' }),
  on: compileOn('properties["tags"]')({ tags: ['new', 'sale', 'new'] }),
  number: compileNumber('number(properties["amount"]) * 2')({ amount: '21' }),
  vectors: JSON.parse(document.getElementById('vectors').textContent).map(evaluate),
};
