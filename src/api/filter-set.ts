import type { Checked } from '../lang/check/check.ts';
import { closures } from '../lang/engines/closures/closures.ts';
import { columnar } from '../lang/engines/columnar/columnar.ts';
import { ExpressionTypeError } from '../lang/errors.ts';
import type { Traced } from '../lang/explain/trace-tree.ts';
import { EqualFilters } from '../lang/filters/equal-filters.ts';
import { describeAccess, type FilterCost } from '../lang/filters/filter-cost.ts';
import { FilterIndex } from '../lang/filters/filter-index.ts';
import { getPlanKey } from '../lang/filters/plan-key.ts';
import type { Batch } from '../lang/plan/batch.ts';
import type { Predicate } from '../lang/plan/plan.ts';
import { readRow } from '../lang/plan/read-row.ts';
import { toFilterPlan } from '../lang/plan/to-plan.ts';
import { assertSource, type ParseLimits } from '../lang/syntax/parse.ts';
import type { Properties } from '../lang/value.ts';
import { assertBatch, assertOptions, assertRecord } from './arguments.ts';
import { trace } from './explain.ts';
import { prepare } from './expressions.ts';
import { type TimeZoneOptions, toClock } from './query-options.ts';

export type { FilterCost };

/** With more rows per filter, testing all rows of a filter at once is faster than finding the filters of each row. */
const MIN_ROWS_PER_FILTER = 20;

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

/** The other filters of a set that are equal to a filter: they match the same records, and are evaluated with it. */
export interface EqualIds<Id> {
  readonly equal: readonly Id[];
}

/** The rows of a batch that each filter matches. */
export interface BatchMatches<Id> {
  /** The indexes of the rows, ascending, by filter. Filters without a match have no entry. */
  readonly rows: Map<Id, number[]>;
  /** The filters that raised a type error for a row, by row. Whether they match it is unknown. */
  readonly failures: (FilterFailure<Id> & { readonly row: number })[];
}

/**
 * A set of filters, and which of them match a record: `match` answers for each filter as {@link compileWhere} does, but
 * evaluates only those that share a property value with the record, and equal ones once. Filters can be added and removed
 * at any time.
 *
 * @example
 * const set = new FilterSet();
 * set.add('pro', 'properties["plan"] == "pro"');
 * set.add('large', 'properties["amount"] > 100');
 * set.match({ plan: 'pro', amount: 12 }).ids; // ['pro']
 */
export class FilterSet<Id = string> {
  /** The slot of each filter in the index. Equal filters have one. */
  private readonly slots = new Map<Id, number>();
  private readonly index = new FilterIndex();
  private readonly equals = new EqualFilters();
  /** The ids and sources of filters, by slot. */
  private readonly ids: (Id | undefined)[] = [];
  private readonly sources: string[] = [];
  /** The sources of the other filters of a slot, by slot and id. */
  private readonly copies = new Map<number, Map<Id, string>>();
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
    const planned = this.#plan(source);
    this.index.assertIdle();
    this.remove(id);
    const key = getFilterKey(planned);
    const known = this.equals.find(key, (slot) => getFilterKey(this.#plan(this.sources[slot] as string)));
    const slot = known ?? this.#store(id, planned, key);
    if (known !== undefined) {
      const copies = this.copies.get(known) ?? new Map<Id, string>();
      this.copies.set(known, copies.set(id, source));
    }
    this.slots.set(id, slot);
    return this;
  }

  #plan(source: string): Planned {
    const { checked } = prepare(this.add, source, 'where', this.options);
    return { checked, filter: toFilterPlan(checked) };
  }

  #store(id: Id, { checked, filter }: Planned, key: string): number {
    const slot = this.index.add(checked, filter);
    this.equals.add(key, slot);
    this.ids[slot] = id;
    this.sources[slot] = checked.source;
    if (checked.readsTime) this.timed.add(slot);
    return slot;
  }

  /** Removes a filter. Returns whether it was there. */
  remove(id: Id): boolean {
    const slot = this.slots.get(id);
    if (slot === undefined) return false;
    this.index.assertIdle();
    const copies = this.copies.get(slot);
    if (copies === undefined) {
      this.index.remove(slot);
      this.equals.remove(slot);
      this.timed.delete(slot);
      this.ids[slot] = undefined;
      this.sources[slot] = '';
    } else {
      this.#removeCopy(slot, id, copies);
    }
    this.slots.delete(id);
    return true;
  }

  /** Removes one of several filters of a slot. Another takes the place of the first. */
  #removeCopy(slot: number, id: Id, copies: Map<Id, string>): void {
    if (!copies.delete(id)) {
      const [first, source] = copies.entries().next().value as [Id, string];
      copies.delete(first);
      this.ids[slot] = first;
      this.sources[slot] = source;
    }
    if (copies.size === 0) this.copies.delete(slot);
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
        onMatch: (slot) => this.#visit(slot, (id) => found.ids.push(id)),
        onFailure: (slot, error) => this.#visit(slot, (id) => found.failures.push({ id, error })),
      },
    );
    return found;
  }

  /** Returns the rows of a batch that each filter matches. The time is read once. */
  matchBatch(batch: Batch): BatchMatches<Id> {
    assertBatch(batch, undefined);
    const now = this.timed.size > 0 ? this.clock() : 0;
    const slots = new Set(this.slots.values());
    return batch.length < slots.size * MIN_ROWS_PER_FILTER
      ? this.#matchRows(batch, now)
      : this.#matchColumns(batch, now, slots);
  }

  /** Finds the filters of one row after another. */
  #matchRows(batch: Batch, now: number): BatchMatches<Id> {
    const found: BatchMatches<Id> = { rows: new Map(), failures: [] };
    for (let row = 0; row < batch.length; row++) {
      this.index.match(
        { properties: readRow(batch.properties, row), user: readRow(batch.user, row), now },
        {
          onMatch: (slot) => this.#visit(slot, (id) => addRow(found.rows, id, row)),
          onFailure: (slot, error) => this.#visit(slot, (id) => found.failures.push({ id, row, error })),
        },
      );
    }
    return found;
  }

  /** Finds the rows of one filter after another. */
  #matchColumns(batch: Batch, now: number, slots: Iterable<number>): BatchMatches<Id> {
    const found: BatchMatches<Id> = { rows: new Map(), failures: [] };
    for (const slot of slots) {
      const { checked } = this.#plan(this.sources[slot] as string);
      const { rows, failures } = selectRows(checked, batch, now);
      this.#visit(slot, (id) => {
        if (rows.length > 0) found.rows.set(id, rows.slice());
        for (const failure of failures) found.failures.push({ id, ...failure });
      });
    }
    found.failures.sort((left, right) => left.row - right.row);
    return found;
  }

  /**
   * Evaluates one filter and returns its tree with the value of every part, for {@link why}, and the equal filters.
   *
   * @throws {RangeError} if there is no such filter.
   */
  explain(id: Id, properties: object, user?: object): Traced & EqualIds<Id> {
    assertRecord(properties, user);
    const slot = findSlot(this.slots, id);
    const source = this.copies.get(slot)?.get(id) ?? (this.sources[slot] as string);
    const traced = trace(source, properties, user, {
      ...this.options,
      use: 'where',
      now: this.clock(),
    });
    return { ...traced, equal: this.#listEqual(slot, id) };
  }

  /**
   * Returns what makes a filter cheap or expensive: it is only evaluated for records that have one of these properties or
   * values. Also returns the equal filters: those with the same conditions, whatever their order and spelling. Filters
   * that can raise a type error are equal if they are written alike, because their errors point into their sources.
   *
   * @throws {RangeError} if there is no such filter.
   */
  cost(id: Id): FilterCost & EqualIds<Id> {
    const slot = findSlot(this.slots, id);
    return { ...describeAccess(this.index.getAccess(slot)), equal: this.#listEqual(slot, id) };
  }

  #visit(slot: number, visitor: (id: Id) => void): void {
    visitor(this.ids[slot] as Id);
    if (this.copies.size > 0) for (const id of this.copies.get(slot)?.keys() ?? []) visitor(id);
  }

  #listEqual(slot: number, id: Id): readonly Id[] {
    const all: Id[] = [];
    this.#visit(slot, (other) => all.push(other));
    return all.filter((other) => other !== id);
  }
}

interface Planned {
  readonly checked: Checked;
  readonly filter: Predicate;
}

/** Returns a string that only equal filters share. */
function getFilterKey({ checked, filter }: Planned): string {
  return filter.canFail ? `fails ${checked.source}` : getPlanKey(filter.plan);
}

/** @throws {RangeError} if there is no such filter. */
function findSlot<Id>(slots: ReadonlyMap<Id, number>, id: Id): number {
  const slot = slots.get(id);
  if (slot === undefined) throw new RangeError(`There is no filter ${String(id)} in the set`);
  return slot;
}

interface SelectedRows {
  readonly rows: readonly number[];
  readonly failures: readonly { readonly row: number; readonly error: ExpressionTypeError }[];
}

/** Returns the rows that a filter matches. If it fails on one, all are evaluated one by one. */
function selectRows(checked: Checked, batch: Batch, now: number): SelectedRows {
  const rows: number[] = [];
  try {
    const selected = columnar.toSelection(checked)(batch, undefined, now);
    // Many times faster than the iterator of the typed array.
    for (let index = 0; index < selected.length; index++) rows.push(selected[index] as number);
    return { rows, failures: [] };
  } catch (error) {
    if (!(error instanceof ExpressionTypeError)) throw error;
  }
  const condition = closures.toCondition(checked);
  const failures: { row: number; error: ExpressionTypeError }[] = [];
  for (let row = 0; row < batch.length; row++) {
    try {
      if (condition(readRow(batch.properties, row), readRow(batch.user, row), now)) rows.push(row);
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      failures.push({ row, error });
    }
  }
  return { rows, failures };
}

function addRow<Id>(rows: Map<Id, number[]>, id: Id, row: number): void {
  const known = rows.get(id);
  if (known === undefined) rows.set(id, [row]);
  else known.push(row);
}
