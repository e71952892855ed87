import { compilePredicate } from '../engines/closures/closures.ts';
import type { Closure } from '../plan/engine.ts';
import type { Predicate } from '../plan/plan.ts';
import type { Properties } from '../value.ts';
import { getPlanKey } from './plan-key.ts';

interface Clause {
  readonly key: string;
  readonly evaluate: Closure<boolean>;
  /** The number of filters that have it. */
  uses: number;
}

/** The record that filters are matched with, and the time in Unix seconds. */
export interface Subject {
  readonly properties: Properties;
  readonly user: Properties | undefined;
  readonly now: number;
}

/** The parts of filters that cannot fail. Filters share equal ones, which are evaluated once for a record. */
export class Clauses {
  private readonly ids = new Map<string, number>();
  private readonly clauses: (Clause | undefined)[] = [];
  private readonly free: number[] = [];
  /** The record of the last answer of each clause, counted from 1. */
  private readonly records: number[] = [];
  private readonly answers: boolean[] = [];
  private record = 0;

  /** Returns the id of a clause, for one more filter. */
  take(predicate: Predicate): number {
    const key = getPlanKey(predicate.plan);
    const id = this.ids.get(key) ?? this.create(key, predicate);
    (this.clauses[id] as Clause).uses++;
    return id;
  }

  /** Gives back the id of a clause that a filter has taken. */
  release(id: number): void {
    const clause = this.clauses[id] as Clause;
    if (--clause.uses > 0) return;
    this.ids.delete(clause.key);
    this.clauses[id] = undefined;
    this.free.push(id);
  }

  /** Forgets the answers of the last record. */
  beginRecord(): void {
    this.record++;
  }

  /** Returns whether a clause is true for the record that {@link beginRecord} began. */
  test(id: number, { properties, user, now }: Subject): boolean {
    if (this.records[id] === this.record) return this.answers[id] as boolean;
    const answer = (this.clauses[id] as Clause).evaluate(properties, user, now);
    this.records[id] = this.record;
    this.answers[id] = answer;
    return answer;
  }

  private create(key: string, predicate: Predicate): number {
    const id = this.free.pop() ?? this.clauses.length;
    this.clauses[id] = { key, evaluate: compilePredicate(predicate, ''), uses: 0 };
    this.records[id] = 0;
    this.answers[id] = false;
    this.ids.set(key, id);
    return id;
  }
}
