import type { Checked } from '../check/check.ts';
import { estimateCost } from '../check/estimate-cost.ts';
import { closures } from '../engines/closures/closures.ts';
import { ExpressionTypeError } from '../errors.ts';
import type { Closure } from '../plan/engine.ts';
import type { Predicate } from '../plan/plan.ts';
import { takeSteps } from '../steps.ts';
import { type EqualKey, findRoute, type LookupKey } from './access.ts';
import { type Clause, Clauses, type Subject, testClause } from './clauses.ts';
import type { Fact } from './fact.ts';
import { KeyIndex } from './key-index.ts';
import { Posting } from './postings.ts';

const NO_FACTS: readonly Fact[] = [];
const NO_CLAUSES: readonly Clause[] = [];

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
  /** The filters without keys. */
  private readonly always = new Posting();
  private readonly free: number[] = [];
  /** The keys of each filter, by slot; a single one without its list, since most filters have one. */
  private readonly accesses: (LookupKey | readonly LookupKey[] | undefined)[] = [];
  /** The facts that a record needs beside a key, by slot. */
  private readonly facts: (readonly Fact[])[] = [];
  /** The facts that a record may not have, by slot. */
  private readonly exceptions: (readonly Fact[])[] = [];
  /** The clauses that have to be true beside them; or the whole filter, if it can fail. By slot. */
  private readonly needs: (readonly Clause[] | Closure<boolean>)[] = [];
  /** The record for which a filter with several keys was last evaluated, by slot; {@link ONE_KEY} for all others. */
  private readonly visited: number[] = [];
  /** The steps that a filter takes at most, and how often it goes through a string or a list, by slot. */
  private readonly steps: number[] = [];
  private readonly scans: number[] = [];
  private record = 0;
  private isMatching = false;

  /** Adds a filter with its plan and returns its slot. */
  add(checked: Checked, filter: Predicate): number {
    this.assertIdle();
    const { access, facts, exceptions, rest } = findRoute(filter, (key) => this.keys.weigh(key));
    const slot = this.free.pop() ?? this.needs.length;
    const keys = access?.map((key) => this.keys.add(key, slot));
    if (keys === undefined) this.always.add(slot);
    this.accesses[slot] = keys?.length === 1 ? keys[0] : keys;
    this.visited[slot] = (keys?.length ?? 0) > 1 ? 0 : ONE_KEY;
    const { reads, operations, scans } = estimateCost(checked);
    this.steps[slot] = 1 + reads + operations;
    this.scans[slot] = reads + scans;
    this.facts[slot] = this.takeFacts(facts);
    this.exceptions[slot] = this.takeFacts(exceptions);
    if (filter.canFail) this.needs[slot] = closures.toCondition(checked);
    else this.needs[slot] = rest.length === 0 ? NO_CLAUSES : rest.map((predicate) => this.clauses.take(predicate));
    return slot;
  }

  remove(slot: number): void {
    this.assertIdle();
    const [access, need] = [this.getAccess(slot), this.needs[slot]];
    if (access === undefined) this.always.remove(slot);
    else for (const key of access) this.keys.remove(key, slot);
    for (const facts of [this.facts, this.exceptions]) {
      for (const fact of facts[slot] ?? NO_FACTS) this.keys.release(fact);
      facts[slot] = NO_FACTS;
    }
    if (typeof need === 'object') for (const clause of need) this.clauses.release(clause);
    this.accesses[slot] = undefined;
    this.needs[slot] = NO_CLAUSES;
    this.free.push(slot);
  }

  /** Returns the keys of a filter. */
  getAccess(slot: number): readonly LookupKey[] | undefined {
    const access = this.accesses[slot];
    return access === undefined || 'length' in access ? access : [access];
  }

  /**
   * Evaluates the filters that a record can match.
   *
   * @throws {StepsExceeded} inside a limit of steps, before the filter that would exceed it
   */
  match(subject: Subject, listener: MatchListener): void {
    this.assertIdle();
    this.isMatching = true;
    try {
      const record = ++this.record;
      const found: number[] = [];
      this.keys.collect(subject.properties, subject.user, record, found);
      this.always.collect(found);
      for (let index = 0; index < found.length; index++)
        this.evaluate(found[index] as number, subject, record, listener);
    } finally {
      this.isMatching = false;
    }
  }

  /** @throws {Error} if a getter of the record that is being matched uses the set: the marks of facts are one record's. */
  assertIdle(): void {
    if (this.isMatching) throw new Error('A getter of a record cannot use the filter set that reads it');
  }

  private takeFacts(keys: readonly EqualKey[]): readonly Fact[] {
    return keys.length === 0 ? NO_FACTS : keys.map((key) => this.keys.take(key));
  }

  private evaluate(slot: number, subject: Subject, record: number, listener: MatchListener): void {
    for (const fact of this.facts[slot] as readonly Fact[]) if (fact.record !== record) return;
    for (const fact of this.exceptions[slot] as readonly Fact[]) if (fact.record === record) return;
    const visited = this.visited[slot];
    if (visited === record) return;
    if (visited !== ONE_KEY) this.visited[slot] = record;
    takeSteps(this.steps[slot] as number, this.scans[slot]);
    const need = this.needs[slot] ?? NO_CLAUSES;
    if (typeof need === 'function') this.evaluateWhole(slot, need, subject, listener);
    else {
      for (const clause of need) if (!testClause(clause, subject, record)) return;
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
