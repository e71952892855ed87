import type { Channels } from './channels.ts';
import type { Dialect } from './dialect.ts';
import { type Sql, shareExpression } from './sql.ts';

/** Numbers that are NULL where they are not finite: for each number one expression, wherever it is needed. */
export class FiniteNumbers {
  private readonly known = new Map<Sql, Sql>();

  constructor(private readonly dialect: Dialect) {}

  /** The number of a value; nothing where it can be none. */
  of({ number }: Channels): Sql | undefined {
    if (number === undefined || number.isFinite) return number?.sql;
    const finite = this.known.get(number.sql) ?? shareExpression(this.dialect.finite(number.sql));
    this.known.set(number.sql, finite);
    return finite;
  }
}
