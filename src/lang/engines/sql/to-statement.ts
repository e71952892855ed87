import type { Checked, Use } from '../../check/check.ts';
import type { Plan } from '../../plan/plan.ts';
import { toFilterPlan, toPlan } from '../../plan/to-plan.ts';
import { NUMBER } from '../../types.ts';
import { isPresent } from './condition.ts';
import type { Dialect } from './dialect.ts';
import { Lowering } from './lowering.ts';
import { render } from './render.ts';
import { caseWhen, coalesce, raw, type Sql, type SqlValue } from './sql.ts';
import type { SqlSource } from './sql-source.ts';
import { type ErrorSite, TypeErrors } from './type-errors.ts';

/** The SQL of an expression. The use determines which parts exist. */
export interface SqlParts {
  /** For `where`: the condition. NULL counts as false. */
  readonly condition?: string;
  /** For `on`, unless the value can be a list: the name of the segment. */
  readonly segment?: string;
  /** For `on`, if the value can be a list: an array of the names of the segments. */
  readonly segments?: string;
  /** For `number`: a double. It is 0 for a value that is not a number. */
  readonly number?: string;
  /** For `value`: an expression for each type that the value can have. `readRowValue` reads a row of them. */
  readonly value?: SqlChannels;
  /**
   * The one-based index in {@link SqlStatement.errors} of the type error that a record raises; NULL if it raises none.
   * Missing if no record can raise one. Select it together with the result, over all records that you evaluate.
   */
  readonly error?: string;
}

/**
 * A value as one SQL expression per type, NULL if the value has another type. `null` is a boolean: whether the value is
 * null. A list is an array of element keys. A property of a JSON column has only `json`, its JSON.
 */
export type SqlChannels = Readonly<Partial<Record<ChannelName, string>>>;

export type ChannelName = 'number' | 'string' | 'boolean' | 'null' | 'list' | 'json';

/** A type error that a record can raise. */
export interface SqlTypeError<Name extends string = string> extends ErrorSite {
  /** The name of the expression that raises it. */
  readonly expression: Name;
}

/** Expressions over one table, ready for use in a statement. */
export interface SqlStatement<Name extends string = string> {
  /** The `FROM` clause: the table, or a subselect that computes common subexpressions once. */
  readonly from: string;
  readonly parts: Readonly<Record<Name, SqlParts>>;
  /** The parameters to bind, in order. */
  readonly parameters: readonly SqlValue[];
  /** The type errors that `error` refers to, by index. */
  readonly errors: readonly SqlTypeError<Name>[];
}

interface Lowered {
  readonly part: keyof SqlParts | ChannelName;
  readonly sql: Sql;
}

/** Lowers checked expressions to SQL over one table. Common subexpressions are computed once. */
export function toStatement<Name extends string>(
  expressions: Readonly<Record<Name, { readonly checked: Checked; readonly use: Use }>>,
  dialect: Dialect,
  source: SqlSource,
  now: number,
  parameterOffset = 0,
): SqlStatement<Name> {
  const lowering = new Lowering(dialect, source, now);
  const typeErrors = new TypeErrors(lowering, dialect);
  const errors: SqlTypeError<Name>[] = [];
  const names = Object.keys(expressions) as Name[];
  const lowered = names.flatMap((expression) => {
    const { checked, use } = expressions[expression];
    const parts = new PartLowering(lowering, typeErrors, dialect).lower(checked, use);
    for (const site of typeErrors.sites.slice(errors.length)) errors.push({ expression, ...site });
    return parts.map((part) => ({ expression, ...part }));
  });
  const table = [source.table]
    .flat()
    .map((name) => dialect.quoteName(name))
    .join('.');
  const {
    expressions: sqls,
    from,
    parameters,
  } = render(
    lowered.map(({ sql }) => sql),
    table,
    dialect,
    parameterOffset,
  );
  const rendered = lowered.map(({ expression, part }, index) => ({ expression, part, sql: sqls[index] ?? '' }));
  const getParts = (name: Name) =>
    assembleParts(
      rendered.filter(({ expression }) => expression === name),
      expressions[name].use,
    );
  const parts = Object.fromEntries(names.map((name) => [name, getParts(name)])) as Record<Name, SqlParts>;
  return { from, parts, parameters, errors };
}

function assembleParts(
  rendered: readonly { readonly part: Lowered['part']; readonly sql: string }[],
  use: Use,
): SqlParts {
  const toEntries = (isSelected: (part: Lowered['part']) => boolean) =>
    Object.fromEntries(rendered.filter(({ part }) => isSelected(part)).map(({ part, sql }) => [part, sql]));
  if (use !== 'value') return toEntries(() => true);
  return { value: toEntries((part) => part !== 'error'), ...toEntries((part) => part === 'error') };
}

/** Lowers an expression to the parts for its use (language, section 5). */
class PartLowering {
  constructor(
    private readonly lowering: Lowering,
    private readonly typeErrors: TypeErrors,
    private readonly dialect: Dialect,
  ) {}

  lower(checked: Checked, use: Use): Lowered[] {
    const { lowering, typeErrors } = this;
    if (use === 'where') {
      const predicate = toFilterPlan(checked);
      return [
        { part: 'condition', sql: lowering.lowerFilter(predicate.plan) },
        ...toPart('error', typeErrors.lowerPredicate(predicate)),
      ];
    }
    const plan = toPlan(checked);
    const parts =
      use === 'on' ? this.lowerSegment(plan) : use === 'number' ? this.lowerNumberOrZero(plan) : this.lowerValue(plan);
    return [...parts, ...toPart('error', typeErrors.lowerPlan(plan))];
  }

  private lowerValue(plan: Plan): Lowered[] {
    const { string, boolean: truth, null: isNull, list, json } = this.lowering.getChannels(plan);
    if (json !== undefined) return toPart('json', json);
    return [
      ...toPart('number', this.lowering.getNumber(plan)),
      ...toPart('string', string?.sql),
      ...toPart('boolean', truth?.sql),
      ...toPart('null', isNull),
      ...toPart('list', list?.sql),
    ];
  }

  private lowerNumberOrZero(plan: Plan): Lowered[] {
    const number = this.lowering.getNumber(plan);
    const zero = raw('0');
    if (number === undefined) return [{ part: 'number', sql: zero }];
    return [{ part: 'number', sql: plan.types === NUMBER ? number : coalesce(number, zero) }];
  }

  private lowerSegment(plan: Plan): Lowered[] {
    const { overloads } = this.dialect;
    const { string, boolean: truth, null: isNull, list } = this.lowering.getChannels(plan);
    const number = this.lowering.getNumber(plan);
    const names = [
      ...(string ? [string.sql] : []),
      ...(number ? [overloads['string.number'](number)] : []),
      ...(truth ? [overloads['string.boolean'](truth.sql)] : []),
      ...(isNull ? [caseWhen([[isNull, raw("'null'")]])] : []),
    ];
    const segment = coalesce(...names, raw("'undefined'"));
    if (list === undefined) return [{ part: 'segment', sql: segment }];
    const { getElementNames, createArray } = this.dialect;
    return [{ part: 'segments', sql: caseWhen([[isPresent(list), getElementNames(list.sql)]], createArray(segment)) }];
  }
}

function toPart(part: Lowered['part'], sql: Sql | undefined): Lowered[] {
  return sql === undefined ? [] : [{ part, sql }];
}
