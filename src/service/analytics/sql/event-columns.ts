import type { Use } from '../../../lang/check/check.ts';
import type { ExpressionKind } from '../../../queries/expression-error.ts';
import type { TimeRange } from '../../../queries/time-range.ts';

/** Selects the events that a query reads. */
export interface EventFilter {
  /** The names of the events; all events if undefined. */
  readonly events?: readonly string[] | undefined;
  readonly span?: TimeRange | undefined;
  readonly where?: string | undefined;
  /**
   * Whether the query only counts events, and those of an hour of Unix time alike, so that it can read counts by hour
   * instead of events.
   */
  readonly countsHours?: boolean | undefined;
}

/** A column of an {@link EventQuery}, computed for each event. */
export type EventColumn =
  /**
   * Whether an event has a name, is within a span, and matches a filter. Outside `raises`, an event on which the filter
   * fails does not match.
   */
  | {
      readonly use: 'where';
      readonly event?: string | undefined;
      readonly span?: TimeRange | undefined;
      readonly raises?: TimeRange;
      readonly expression?: string | undefined;
    }
  /**
   * The segments of an event; see {@link EventQuery.segmentOf}. Read only from events in `span` for which the column
   * `given` is true.
   */
  | { readonly use: 'on'; readonly expression: string; readonly span?: TimeRange | undefined; readonly given?: string }
  /** A number; any other value is 0 or NULL. */
  | { readonly use: 'number' | 'number or null'; readonly expression: string }
  /** All properties of an event, as JSON. */
  | { readonly use: 'properties' };

/** The expression of a column. */
export interface ColumnExpression {
  readonly source: string;
  readonly kind: ExpressionKind;
  readonly use: Use;
  /** Whether other values than numbers are left out. */
  readonly isNumberOrNull: boolean;
}

/** The name of the column that says whether the filter selects an event. */
export const EVENT_FILTER = 'chosen';

/** Returns the expressions of the filter and the columns of a query, by column. */
export function listExpressions(
  { where }: EventFilter,
  columns: Readonly<Record<string, EventColumn>>,
): Record<string, ColumnExpression> {
  const toExpression = (source: string, use: EventColumn['use'] & (Use | 'number or null')): ColumnExpression => ({
    source,
    kind: use === 'where' ? 'selector' : 'action',
    use: use === 'number or null' ? 'value' : use,
    isNumberOrNull: use === 'number or null',
  });
  const own = Object.entries(columns).flatMap(([name, column]): [string, ColumnExpression][] => {
    if (column.use === 'properties' || column.expression === undefined) return [];
    return [[name, toExpression(column.expression, column.use)]];
  });
  return { ...(where !== undefined && { [EVENT_FILTER]: toExpression(where, 'where') }), ...Object.fromEntries(own) };
}
