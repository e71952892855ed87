import type { Use } from '../../../lang/check/check.ts';
import type { ErrorSite } from '../../../lang/engines/sql/type-errors.ts';
import { ExpressionTypeError } from '../../../lang/errors.ts';
import type { ExpressionKind } from '../../../queries/expression-error.ts';
import type { JsonSqlRow } from '../../store/store-snapshot.ts';
import type { ColumnExpression } from './event-columns.ts';

/** A type error that an event may raise. */
export interface PossibleTypeError {
  readonly kind: ExpressionKind;
  readonly use: Use;
  readonly error: ExpressionTypeError;
}

/** Numbers the type errors that the events of a query may raise, from 1, so that SQL can return them. */
export class PossibleTypeErrors {
  private readonly all: PossibleTypeError[] = [];

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /**
   * Adds the errors of a statement.
   *
   * @returns the offset to add to the statement's own error numbers
   */
  add(
    errors: readonly (ErrorSite & { readonly expression: string })[],
    columns: Readonly<Record<string, ColumnExpression>>,
  ): number {
    const offset = this.all.length;
    for (const { expression, operator, found, span } of errors) {
      const { source, kind, use } = columns[expression] as ColumnExpression;
      this.all.push({ kind, use, error: new ExpressionTypeError(source, operator, found, span) });
    }
    return offset;
  }

  /** Returns the error to report for rows with the number of a `failure` each: that of a filter before others. */
  findFirst(rows: readonly JsonSqlRow[]): PossibleTypeError | undefined {
    const raised = rows.flatMap(({ failure }) => this.all[Number(failure) - 1] ?? []);
    return raised.find(({ kind }) => kind === 'selector') ?? raised[0];
  }
}
