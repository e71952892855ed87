import { type Checked, checkTree, type Use } from '../lang/check/check.ts';
import { ExpressionCheckError } from '../lang/errors.ts';
import { findTimeZone, type TimeZone } from '../lang/operators/time-zone.ts';
import { type Parsed, tryParse } from '../lang/syntax/parse.ts';

/** The expressions of one request: each is parsed once, and checked once for each use. */
export class CheckedExpressions {
  private readonly timeZone: TimeZone | undefined;
  private readonly parsed = new Map<string, Parsed>();
  private readonly checked = new Map<string, Checked>();

  /** @param timeZone the IANA name of the time zone of dates in the expressions */
  constructor(timeZone: string) {
    this.timeZone = findTimeZone(timeZone);
  }

  /**
   * Returns the checked tree of an expression.
   *
   * @throws {ExpressionCheckError} if it is not an expression, or fails on every record
   */
  check(source: string, use: Use): Checked {
    const checked = this.tryCheck(source, use);
    if (checked instanceof ExpressionCheckError) throw checked;
    return checked;
  }

  /** Returns whether a valid expression reads `now`. */
  readsTime(source: string, use: Use): boolean {
    const checked = this.tryCheck(source, use);
    return !(checked instanceof ExpressionCheckError) && checked.readsTime;
  }

  private tryCheck(source: string, use: Use): Checked | ExpressionCheckError {
    const { tree, diagnostics } = this.parse(source);
    if (tree === undefined) return new ExpressionCheckError(source, diagnostics);
    // `on` takes every value, like `value`.
    const key = `${use === 'on' ? 'value' : use} ${source}`;
    const checked = this.checked.get(key) ?? checkTree(source, tree, use, { timeZone: this.timeZone });
    this.checked.set(key, checked);
    const isWrong = checked.diagnostics.some(({ severity }) => severity === 'error');
    return isWrong ? new ExpressionCheckError(source, checked.diagnostics) : checked;
  }

  private parse(source: string): Parsed {
    const parsed = this.parsed.get(source) ?? tryParse(source);
    this.parsed.set(source, parsed);
    return parsed;
  }
}
