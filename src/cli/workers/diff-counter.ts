import { type Compiled, compileWhere } from '../../api/expressions.ts';
import { truncate } from '../../base/strings.ts';
import { type ClauseOutcome, type DecidedClause, DecidedFilter } from '../../data/decided-filter.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { type Properties, readProperty, type Value } from '../../lang/value.ts';
import { shortenId } from './shorten-id.ts';

type FilterName = 'old' | 'new';

/** A clause that decides whether a record is selected, and what it is on the record. */
export interface DecidingClause {
  readonly filter: FilterName;
  readonly code: string;
  readonly is: ClauseOutcome;
}

/** A record that only one filter selects: the properties that the filters read. */
export interface DiffExample {
  /** The line of the record, counted from the first of the part. */
  readonly line: number;
  readonly properties: Readonly<Record<string, Value>>;
  readonly user?: Readonly<Record<string, Value>>;
}

/** Records that one filter selects and the other does not. */
export interface DifferingRecords {
  records: number;
  /** The number of records by the clauses that decide, as JSON: an array of {@link DecidingClause}. */
  readonly reasons: Map<string, number>;
  /** The first of them. */
  readonly examples: DiffExample[];
}

/** How two filters differ on consecutive records, as plain data. */
export interface DiffPart {
  records: number;
  /** The records that each filter selects, and those on which it raises a type error. */
  readonly old: { records: number; failures: number };
  readonly new: { records: number; failures: number };
  readonly joining: DifferingRecords;
  readonly leaving: DifferingRecords;
  /** Which filters select a record of a user: {@link IS_OLD}, {@link IS_NEW} or both. */
  readonly users: Map<string, number>;
}

export const IS_OLD = 1;
export const IS_NEW = 2;

/** The number of examples that are kept. */
export const MAX_EXAMPLES = 3;

/** Longer code, and longer strings of examples, are cut. Only so many elements of lists are kept. */
const MAX_LENGTH = 200;
const MAX_ELEMENTS = 20;

/** Different reasons beyond these are decided once for each record. */
const MAX_DECIDED = 1_000;

/** The clauses of a filter that decide, those of them that the other filter does not have, and whether all decide. */
interface Deciding {
  readonly clauses: readonly DecidingClause[];
  readonly own: readonly DecidingClause[];
  readonly areAll: boolean;
}

/** Compares two filters on records. */
export class DiffCounter {
  readonly expressions: readonly Compiled<boolean>[];
  private readonly filters: Readonly<Record<FilterName, DecidedFilter>>;
  /** The keys of reasons by the outcomes of all clauses. */
  private readonly decided = new Map<string, string>();
  private part = createPart();

  constructor(sources: { readonly old: string; readonly new: string }, now: number, timeZone: string) {
    const zone = findTimeZone(timeZone);
    this.expressions = [sources.old, sources.new].map((source) => compileWhere(source, { now, timeZone }));
    this.filters = { old: new DecidedFilter(sources.old, now, zone), new: new DecidedFilter(sources.new, now, zone) };
  }

  get readsEventName(): boolean {
    return this.expressions.some(({ properties }) => properties.some(({ name }) => name === EVENT_PROPERTY));
  }

  add({ properties, user, distinctId, line }: EventRecord): undefined {
    const { part } = this;
    part.records++;
    const [isOld, isNew] = this.expressions.map((where, index) => {
      const counts = index === 0 ? part.old : part.new;
      try {
        const isSelected = where(properties, user);
        if (isSelected) counts.records++;
        return isSelected;
      } catch (error) {
        if (!(error instanceof ExpressionTypeError)) throw error;
        counts.failures++;
        return false;
      }
    }) as [boolean, boolean];
    if (distinctId !== undefined && (isOld || isNew)) {
      const id = shortenId(distinctId);
      part.users.set(id, (part.users.get(id) ?? 0) | (isOld ? IS_OLD : 0) | (isNew ? IS_NEW : 0));
    }
    if (isOld === isNew) return;
    const differing = isNew ? part.joining : part.leaving;
    differing.records++;
    const reason = this.findReason(properties, user, isNew);
    differing.reasons.set(reason, (differing.reasons.get(reason) ?? 0) + 1);
    if (differing.examples.length < MAX_EXAMPLES) differing.examples.push(this.createExample(properties, user, line));
  }

  /** Returns and resets the partial result. */
  take(): DiffPart {
    const { part } = this;
    this.part = createPart();
    return part;
  }

  private findReason(properties: Properties, user: Properties | undefined, joins: boolean): string {
    const old = this.filters.old.evaluate(properties, user);
    const changed = this.filters.new.evaluate(properties, user);
    const key = `${joins} ${old.join()} ${changed.join()}`;
    let reason = this.decided.get(key);
    if (reason === undefined) {
      const [ofOld, ofNew] = [this.listDeciding('old', 'new', old), this.listDeciding('new', 'old', changed)];
      reason = JSON.stringify(joins ? chooseClauses(ofOld, ofNew) : chooseClauses(ofNew, ofOld));
      if (this.decided.size < MAX_DECIDED) this.decided.set(key, reason);
    }
    return reason;
  }

  private listDeciding(name: FilterName, other: FilterName, outcomes: readonly ClauseOutcome[]): Deciding {
    const { [name]: filter, [other]: compared } = this.filters;
    const shared = new Set(compared.clauses.map(({ key }) => key));
    const clauses: DecidingClause[] = [];
    const own: DecidingClause[] = [];
    for (const index of filter.decide(outcomes)) {
      const { code, key } = filter.clauses[index] as DecidedClause;
      const clause = { filter: name, code: truncate(code, MAX_LENGTH), is: outcomes[index] as ClauseOutcome };
      clauses.push(clause);
      if (!shared.has(key)) own.push(clause);
    }
    return { clauses, own, areAll: clauses.length === filter.clauses.length };
  }

  private createExample(properties: Properties, user: Properties | undefined, line: number): DiffExample {
    const read = (scope: 'properties' | 'user', record: Properties | undefined) => {
      const names = this.expressions.flatMap((where) => where.properties.filter((one) => one.scope === scope));
      const values = names.map(({ name }) => [name, cutValue(readProperty(record, name))] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined));
    };
    const ofUser = read('user', user);
    return {
      line,
      properties: read('properties', properties),
      ...(Object.keys(ofUser).length > 0 && { user: ofUser }),
    };
  }
}

/**
 * Returns the clauses that decide: those that make one filter reject the record, and those that make the other select it,
 * unless these are all of its clauses. Omits clauses that both filters have, unless no others are left.
 */
function chooseClauses(rejecting: Deciding, selecting: Deciding): readonly DecidingClause[] {
  const partly = selecting.areAll ? [] : selecting.own;
  const choices = [[...rejecting.own, ...partly], selecting.own, rejecting.clauses];
  return choices.find(({ length }) => length > 0) ?? [];
}

function cutValue(value: Value): Value {
  if (typeof value === 'string') return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
  return Array.isArray(value)
    ? value.slice(0, MAX_ELEMENTS).map((element) => cutValue(element) as typeof element)
    : value;
}

function createPart(): DiffPart {
  const differing = () => ({ records: 0, reasons: new Map<string, number>(), examples: [] });
  return {
    records: 0,
    old: { records: 0, failures: 0 },
    new: { records: 0, failures: 0 },
    joining: differing(),
    leaving: differing(),
    users: new Map(),
  };
}
