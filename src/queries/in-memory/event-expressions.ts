import type { Checked } from '../../lang/check/check.ts';
import { closures } from '../../lang/engines/closures/closures.ts';
import { columnar } from '../../lang/engines/columnar/columnar.ts';
import { countSegments } from '../../lang/engines/columnar/count-segments.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import type { Batch } from '../../lang/plan/batch.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import type { BatchClosure } from '../../lang/plan/engine.ts';
import { readRow } from '../../lang/plan/read-row.ts';
import { CheckedExpressions } from '../checked-expressions.ts';
import { checkExpression, type ExpressionKind, toQueryError } from '../expression-error.ts';
import { type EventTable, filterRows } from './event-table.ts';
import type { MemoryContext } from './memory-context.ts';
import { NO_SEGMENTS, type RowSegments, toRowSegments } from './row-segments.ts';

/** Evaluates an expression for some rows of the table, in their order. */
type RowsFunction<Result> = (rows: Uint32Array) => Result;

/** Compiles the expressions of a query for the events of a table. An error of an expression is a {@link QueryError}. */
export class EventExpressions {
  private readonly expressions: CheckedExpressions;

  constructor(private readonly context: MemoryContext) {
    this.expressions = new CheckedExpressions(context.timeZone);
  }

  /**
   * Compiles a filter, which returns the rows that it selects. A row on which it fails is an error.
   *
   * @throws {QueryError} if it is invalid
   */
  compileFilter(where: string | undefined): RowsFunction<Uint32Array> {
    if (where === undefined) return (rows) => rows;
    const checked = this.check(where, 'selector', 'where');
    return this.bind(checked, 'selector', 'where', columnar.toSelection(checked));
  }

  /** Compiles a filter that does not select the rows on which it fails. */
  compileLenientFilter(where: string | undefined): RowsFunction<Uint32Array> {
    if (where === undefined) return (rows) => rows;
    const { table, now } = this.context;
    const checked = this.check(where, 'selector', 'where');
    const select = columnar.toSelection(checked);
    const matches = closures.toCondition(checked);
    return (rows) => {
      const batch = createBatch(table, checked);
      return catchTypeError(
        () => select(batch, rows, now),
        () =>
          filterRows(rows, (row) => {
            const [properties, user] = [readRow(batch.properties, row), readRow(batch.user, row)];
            return catchTypeError(
              () => matches(properties, user, now),
              () => false,
            );
          }),
      );
    };
  }

  /** Compiles an expression, which returns a column with the value of each row. */
  compileValue(on: string): RowsFunction<BatchColumn> {
    const checked = this.check(on, 'action', 'value');
    return this.bind(checked, 'action', 'value', columnar.toColumn(checked));
  }

  /** Compiles an expression, which returns the segments of the rows. Without one, no row is in any. */
  compileSegments(on: string | undefined): RowsFunction<RowSegments> {
    if (on === undefined) return () => NO_SEGMENTS;
    const checked = this.check(on, 'action', 'on');
    const evaluate = this.bind(checked, 'action', 'on', columnar.toColumn(checked));
    return (rows) => toRowSegments(countSegments(evaluate(rows), rows.length));
  }

  private check(source: string, kind: ExpressionKind, use: 'where' | 'on' | 'value'): Checked {
    return checkExpression(this.expressions, source, kind, use, {});
  }

  private bind<Result>(
    checked: Checked,
    kind: ExpressionKind,
    use: 'where' | 'on' | 'value',
    evaluate: BatchClosure<Result>,
  ): RowsFunction<Result> {
    const { table, now } = this.context;
    return (rows) => {
      // Without a selection, columns are read where they are.
      const selection = rows.length === table.length ? undefined : rows;
      try {
        return evaluate(createBatch(table, checked), selection, now);
      } catch (error) {
        throw error instanceof ExpressionTypeError ? toQueryError(kind, error, use, {}) : error;
      }
    };
  }
}

/** Returns the columns that an expression reads. */
function createBatch(table: EventTable, { properties }: Checked): Batch {
  const columns = { properties: new Map<string, BatchColumn>(), user: new Map<string, BatchColumn>() };
  for (const read of properties) {
    const column = table.getColumn(read);
    if (column !== undefined) columns[read.scope].set(read.name, column);
  }
  return { length: table.length, ...columns };
}

function catchTypeError<Result>(work: () => Result, otherwise: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionTypeError) return otherwise();
    throw error;
  }
}
