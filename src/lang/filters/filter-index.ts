import type { Checked } from '../check/check.ts';
import { closures } from '../engines/closures/closures.ts';
import { ExpressionTypeError } from '../errors.ts';
import type { Closure } from '../plan/engine.ts';
import { toFilterPlan } from '../plan/to-plan.ts';
import { type FilterAccess, findRoute, type LookupKey } from './access.ts';
import { type Clause, Clauses, type Subject, testClause } from './clauses.ts';
import { KeyIndex } from './key-index.ts';
import { Posting } from './postings.ts';

const NONE: readonly Clause[] = [];

const ONE_KEY = -1;

/** Receives the slots of the filters that match a record, and of those that raise a type error. */
export interface MatchListener {
  onMatch(slot: number): void;
  onFailure(slot: number, error: ExpressionTypeError): void;
}

/**
 * Matches a record with many filters. It evaluates only those that share a key with the record: filters of the others
 * neither match nor fail.
 */
export class FilterIndex {
  private readonly keys = new KeyIndex();
  private readonly clauses = new Clauses();
  /** The filters without an access. */
  private readonly always = new Posting();
  private readonly free: number[] = [];
  /** The access to each filter, by slot. */
  private readonly accesses: FilterAccess[] = [];
  /** The clauses that a match needs, beside a key that decides one; or the whole filter, if it can fail. By slot. */
  private readonly needs: (readonly Clause[] | Closure<boolean>)[] = [];
  /** The record for which a filter with several keys was last evaluated, by slot; {@link ONE_KEY} for all others. */
  private readonly visited: number[] = [];
  private record = 0;

  /** Adds a filter and returns its slot. */
  add(checked: Checked): number {
    const filter = toFilterPlan(checked);
    const { access, rest } = findRoute(filter, (key) => this.keys.weigh(key));
    const slot = this.free.pop() ?? this.needs.length;
    if (access === undefined) this.always.add(slot);
    this.accesses[slot] = access && this.keys.add(access, slot);
    this.needs[slot] = filter.canFail
      ? closures.toCondition(checked)
      : rest.map((predicate) => this.clauses.take(predicate));
    this.visited[slot] = (access?.length ?? 0) > 1 ? 0 : ONE_KEY;
    return slot;
  }

  remove(slot: number): void {
    const [access, need] = [this.accesses[slot], this.needs[slot]];
    if (access === undefined) this.always.remove(slot);
    else for (const key of access) this.keys.remove(key, slot);
    if (typeof need === 'object') for (const clause of need) this.clauses.release(clause);
    this.accesses[slot] = undefined;
    this.needs[slot] = NONE;
    this.free.push(slot);
  }

  /** Returns the keys of a filter. */
  getAccess(slot: number): readonly LookupKey[] | undefined {
    return this.accesses[slot];
  }

  /** Evaluates the filters that a record can match. */
  match(subject: Subject, listener: MatchListener): void {
    this.record++;
    const visit = (slot: number) => this.evaluate(slot, subject, listener);
    this.keys.visit(subject.properties, subject.user, visit);
    for (const slot of this.always.slots) visit(slot);
  }

  private evaluate(slot: number, subject: Subject, listener: MatchListener): void {
    const visited = this.visited[slot];
    if (visited === this.record) return;
    if (visited !== ONE_KEY) this.visited[slot] = this.record;
    const need = this.needs[slot] ?? NONE;
    if (typeof need === 'function') this.evaluateWhole(slot, need, subject, listener);
    else {
      for (const clause of need) if (!testClause(clause, subject, this.record)) return;
      listener.onMatch(slot);
    }
  }

  private evaluateWhole(
    slot: number,
    whole: Closure<boolean>,
    { properties, user, now }: Subject,
    listener: MatchListener,
  ): void {
    try {
      if (whole(properties, user, now)) listener.onMatch(slot);
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      listener.onFailure(slot, error);
    }
  }
}
