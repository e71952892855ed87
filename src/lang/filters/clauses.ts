import { compilePredicate } from '../engines/closures/closures.ts';
import type { Closure } from '../plan/engine.ts';
import type { Predicate } from '../plan/plan.ts';
import type { Properties } from '../value.ts';
import { getPlanKey } from './plan-key.ts';

/** A part of filters that cannot fail. Filters share equal ones. */
export interface Clause {
  readonly key: string;
  readonly evaluate: Closure<boolean>;
  /** The number of filters that have it. */
  uses: number;
  /** The record of the last answer, counted from 1. */
  record: number;
  answer: boolean;
}

/** The record that filters are matched with, and the time in Unix seconds. */
export interface Subject {
  readonly properties: Properties;
  readonly user: Properties | undefined;
  readonly now: number;
}

/** The clauses of all filters of a set. */
export class Clauses {
  private readonly clauses = new Map<string, Clause>();

  /** Returns the clause of a predicate, for one more filter. */
  take(predicate: Predicate): Clause {
    const key = getPlanKey(predicate.plan);
    const clause = this.clauses.get(key) ?? this.create(key, predicate);
    clause.uses++;
    return clause;
  }

  /** Gives back a clause that a filter has taken. */
  release(clause: Clause): void {
    if (--clause.uses === 0) this.clauses.delete(clause.key);
  }

  private create(key: string, predicate: Predicate): Clause {
    const clause = { key, evaluate: compilePredicate(predicate, ''), uses: 0, record: 0, answer: false };
    this.clauses.set(key, clause);
    return clause;
  }
}

/** Returns whether a clause is true. It is evaluated once for a record, which a number identifies. */
export function testClause(clause: Clause, { properties, user, now }: Subject, record: number): boolean {
  if (clause.record !== record) {
    clause.answer = clause.evaluate(properties, user, now);
    clause.record = record;
  }
  return clause.answer;
}
