import type { OperatorRow } from '../src/lang/operators/row.ts';
import { OPERATORS } from '../src/lang/operators/table.ts';
import { BOOLEAN, CONDITION, describeTypes } from '../src/lang/types.ts';
import { unreachable } from '../src/lang/util/unreachable.ts';

const INTRODUCTION = `<!-- Written by \`npm run generate\` from src/lang/operators. -->

# Operators

An operator answers by the first row of its types that fits the operands, and undefined where none fits. Only \`and\`
and \`or\` fail instead, with a type error.

## Precedence

Tightest first. Operators of one row group from the left: \`5 - 2 - 1\` is \`(5 - 2) - 1\`.
`;

/** The page that says of every row of the operator table what it answers and how tight it binds. */
export function operatorReference(): string {
  const tightestFirst = OPERATORS.toSorted((one, other) => other.power - one.power);
  return `${[INTRODUCTION, precedence(tightestFirst), ...tightestFirst.map(section)].join('\n')}\n`;
}

function precedence(rows: readonly OperatorRow[]): string {
  const powers = [...new Set(rows.map(({ power }) => power))];
  const levels = powers.map((power) => rows.filter((row) => row.power === power));
  return table(
    ['operators', 'grouping'],
    levels.map((level) => [
      level.map(({ name }) => code(name)).join(' '),
      [...new Set(level.map(grouping))].join(' or '),
    ]),
  );
}

function grouping({ fixity }: OperatorRow): string {
  return fixity === 'infix' || fixity === 'logical' ? 'left' : fixity;
}

function section(row: OperatorRow): string {
  const title = row.fixity === 'prefix' ? `Prefix ${code(row.name)}` : code(row.name);
  const examples = table(
    ['example', 'answer'],
    row.examples.map(([expression, answer]) => [code(expression), code(answer)]),
  );
  return [`\n## ${title}\n`, `${row.summary}\n`, `${types(row)}\n`, examples].join('\n');
}

function types(row: OperatorRow): string {
  switch (row.fixity) {
    case 'word':
      return table(['answer'], [[describeTypes(row.result)]]);
    case 'logical':
      return table(['each operand', 'answer'], [[describeTypes(CONDITION), describeTypes(BOOLEAN)]]);
    case 'infix':
    case 'prefix':
    case 'function':
      return table(
        [...(row.fixity === 'infix' ? ['left', 'right'] : ['operand']), 'answer'],
        row.overloads.map(({ operands, result }) => [...operands, result].map(describeTypes)),
      );
    default:
      return unreachable(row);
  }
}

/** Columns are aligned, as the formatter of the project has them. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${widths.map((width, at) => cells[at]?.padEnd(width)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
