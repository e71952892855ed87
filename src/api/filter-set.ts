import type { ExpressionTypeError } from '../lang/errors.ts';
import type { Traced } from '../lang/explain/trace-tree.ts';
import { describeAccess, type FilterCost } from '../lang/filters/filter-cost.ts';
import { FilterIndex } from '../lang/filters/filter-index.ts';
import type { Batch } from '../lang/plan/batch.ts';
import { readRow } from '../lang/plan/read-row.ts';
import { assertSource, type ParseLimits } from '../lang/syntax/parse.ts';
import type { Properties } from '../lang/value.ts';
import { assertBatch, assertOptions, assertRecord } from './arguments.ts';
import { trace } from './explain.ts';
import { prepare } from './expressions.ts';
import { type TimeZoneOptions, toClock } from './query-options.ts';

export type { FilterCost };

export interface FilterSetOptions extends TimeZoneOptions {
  /** The limits of each filter. */
  readonly limits?: Partial<ParseLimits>;
  /** The time of a match in Unix seconds, or a function that returns it. Default: the clock. */
  readonly now?: number | (() => number);
}

/** A filter that raised a type error. */
export interface FilterFailure<Id> {
  readonly id: Id;
  readonly error: ExpressionTypeError;
}

/** The filters that match a record. */
export interface FilterMatches<Id> {
  /** The ids of the filters that are true, in no particular order. */
  readonly ids: Id[];
  /** The filters that raised a type error. Whether they match is unknown. */
  readonly failures: FilterFailure<Id>[];
}

/** The rows of a batch that each filter matches. */
export interface BatchMatches<Id> {
  /** The indexes of the rows, ascending, by filter. Filters without a match have no entry. */
  readonly rows: Map<Id, number[]>;
  readonly failures: (FilterFailure<Id> & { readonly row: number })[];
}

/**
 * A set of filters, and which of them match a record: `match` answers for each filter as {@link compileWhere} does, but
 * evaluates only those that share a property value with the record. Filters can be added and removed at any time.
 *
 * @example
 * const set = new FilterSet();
 * set.add('pro', 'properties["plan"] == "pro"');
 * set.add('large', 'properties["amount"] > 100');
 * set.match({ plan: 'pro', amount: 12 }).ids; // ['pro']
 */
export class FilterSet<Id = string> {
  /** The slot of each filter in the index. */
  private readonly slots = new Map<Id, number>();
  private readonly index = new FilterIndex();
  /** The ids and sources of filters, by slot. */
  private readonly ids: (Id | undefined)[] = [];
  private readonly sources: string[] = [];
  private readonly options: Omit<FilterSetOptions, 'now'>;
  private readonly clock: () => number;
  /** The slots of the filters that read the time. */
  private readonly timed = new Set<number>();

  /** @throws {TypeError} if an option has the wrong type. */
  constructor(options: FilterSetOptions = {}) {
    assertOptions(options, ['limits', 'now', 'timeZone']);
    const { now, ...others } = options;
    this.options = others;
    this.clock = toClock(now);
  }

  /** The number of filters. */
  get size(): number {
    return this.slots.size;
  }

  has(id: Id): boolean {
    return this.slots.has(id);
  }

  /**
   * Adds a filter. It replaces the filter with the same id. If the source is refused, nothing changes.
   *
   * @throws {ExpressionSyntaxError} if the source is not an expression.
   * @throws {ExpressionCheckError} if the expression fails on every record.
   */
  add(id: Id, source: string): this {
    assertSource(source, 'source');
    const { checked } = prepare(this.add, source, 'where', this.options);
    this.remove(id);
    const slot = this.index.add(checked);
    this.slots.set(id, slot);
    this.ids[slot] = id;
    this.sources[slot] = source;
    if (checked.readsTime) this.timed.add(slot);
    return this;
  }

  /** Removes a filter. Returns whether it was there. */
  remove(id: Id): boolean {
    const slot = this.slots.get(id);
    if (slot === undefined) return false;
    this.index.remove(slot);
    this.slots.delete(id);
    this.timed.delete(slot);
    this.ids[slot] = undefined;
    this.sources[slot] = '';
    return true;
  }

  /**
   * Returns the filters that match a record.
   *
   * @param user The properties of its user, for `user[...]`.
   */
  match(properties: object, user?: object): FilterMatches<Id> {
    assertRecord(properties, user);
    const found: FilterMatches<Id> = { ids: [], failures: [] };
    this.index.match(
      {
        properties: properties as Properties,
        user: (user ?? undefined) as Properties | undefined,
        now: this.timed.size > 0 ? this.clock() : 0,
      },
      {
        onMatch: (slot) => found.ids.push(this.ids[slot] as Id),
        onFailure: (slot, error) => found.failures.push({ id: this.ids[slot] as Id, error }),
      },
    );
    return found;
  }

  /** Returns the rows of a batch that each filter matches. The time is read once. */
  matchBatch(batch: Batch): BatchMatches<Id> {
    assertBatch(batch, undefined);
    const found: BatchMatches<Id> = { rows: new Map(), failures: [] };
    const now = this.timed.size > 0 ? this.clock() : 0;
    for (let row = 0; row < batch.length; row++) {
      this.index.match(
        { properties: readRow(batch.properties, row), user: readRow(batch.user, row), now },
        {
          onMatch: (slot) => addRow(found.rows, this.ids[slot] as Id, row),
          onFailure: (slot, error) => found.failures.push({ id: this.ids[slot] as Id, row, error }),
        },
      );
    }
    return found;
  }

  /**
   * Evaluates one filter and returns its tree with the value of every part, for {@link why}.
   *
   * @throws {RangeError} if there is no such filter.
   */
  explain(id: Id, properties: object, user?: object): Traced {
    assertRecord(properties, user);
    const source = this.sources[findSlot(this.slots, id)] as string;
    return trace(source, properties, user, {
      ...this.options,
      use: 'where',
      now: this.clock(),
    });
  }

  /**
   * Returns what makes a filter cheap or expensive: it is only evaluated for records that have one of these properties or
   * values.
   *
   * @throws {RangeError} if there is no such filter.
   */
  cost(id: Id): FilterCost {
    return describeAccess(this.index.getAccess(findSlot(this.slots, id)));
  }
}

/** @throws {RangeError} if there is no such filter. */
function findSlot<Id>(slots: ReadonlyMap<Id, number>, id: Id): number {
  const slot = slots.get(id);
  if (slot === undefined) throw new RangeError(`There is no filter ${String(id)} in the set`);
  return slot;
}

function addRow<Id>(rows: Map<Id, number[]>, id: Id, row: number): void {
  const known = rows.get(id);
  if (known === undefined) rows.set(id, [row]);
  else known.push(row);
}
