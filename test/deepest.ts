import { check } from '../src/api/expressions.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../src/lang/operators/table.ts';

/** Returns an expression of the maximum depth for each operator and function, over one property. */
export function deepestExpressions(property: string): string[] {
  const isLogical = (operator: string) => operator === 'and' || operator === 'or';
  const chains: ((levels: number) => string)[] = [
    ...[...Object.keys(BINARY), 'and', 'or'].map((operator) => (levels: number) => {
      const operand = isLogical(operator) ? `defined(${property})` : property;
      return operand + ` ${operator} ${operand}`.repeat(levels);
    }),
    ...Object.keys(PREFIX).map((operator) => (levels: number) => {
      return `${operator} `.repeat(levels) + (operator === 'not' ? `defined(${property})` : property);
    }),
    ...Object.keys(FUNCTIONS).map(
      (name) => (levels: number) => `${name}(`.repeat(levels) + property + ')'.repeat(levels),
    ),
    (levels) => property + ' in ["p", 1]'.repeat(levels),
  ];
  return chains.map((chain) => {
    let levels = 256;
    while (!check(chain(levels)).ok) levels--;
    return chain(levels);
  });
}
