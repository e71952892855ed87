import { unreachable } from '../src/base/unreachable.ts';
import type { OperatorRow } from '../src/lang/operators/row.ts';
import { OPERATORS } from '../src/lang/operators/table.ts';
import { BOOLEAN, CONDITION, describeTypes } from '../src/lang/types.ts';

const INTRODUCTION = `<!-- Written by \`npm run generate\` from src/lang/operators. -->

# Operators

The first row of types that matches the operands determines the result. If no row matches, the result is undefined. Only
\`and\` and \`or\` raise a type error instead.

## Precedence

Tightest first. Operators in one row group from the left: \`5 - 2 - 1\` is \`(5 - 2) - 1\`.
`;

/** Writes the reference page of the operators, from the operator table. */
export function writeOperatorReference(): string {
  const tightestFirst = OPERATORS.toSorted((one, other) => other.power - one.power);
  return `${[INTRODUCTION, writePrecedence(tightestFirst), ...tightestFirst.map(writeSection)].join('\n')}\n`;
}

function writePrecedence(rows: readonly OperatorRow[]): string {
  const powers = [...new Set(rows.map(({ power }) => power))];
  const levels = powers.map((power) => rows.filter((row) => row.power === power));
  return writeTable(
    ['operators', 'grouping'],
    levels.map((level) => [
      level.map(({ name }) => toCode(name)).join(' '),
      [...new Set(level.map(getGrouping))].join(' or '),
    ]),
  );
}

function getGrouping({ fixity }: OperatorRow): string {
  return fixity === 'infix' || fixity === 'logical' ? 'left' : fixity;
}

function writeSection(row: OperatorRow): string {
  const title = row.fixity === 'prefix' ? `Prefix ${toCode(row.name)}` : toCode(row.name);
  const examples = writeTable(
    ['example', 'result'],
    row.examples.map(([expression, result]) => [toCode(expression), toCode(result)]),
  );
  return [`\n## ${title}\n`, `${row.summary}\n`, `${writeTypes(row)}\n`, examples].join('\n');
}

function writeTypes(row: OperatorRow): string {
  switch (row.fixity) {
    case 'word':
      return writeTable(['result'], [[describeTypes(row.result)]]);
    case 'logical':
      return writeTable(['each operand', 'result'], [[describeTypes(CONDITION), describeTypes(BOOLEAN)]]);
    case 'infix':
    case 'prefix':
    case 'function':
      return writeTable(
        [...(row.fixity === 'infix' ? ['left', 'right'] : ['operand']), 'result'],
        row.overloads.map(({ operands, result }) => [...operands, result].map(describeTypes)),
      );
    default:
      return unreachable(row);
  }
}

/** Writes a table with aligned columns. */
function writeTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${widths.map((width, at) => cells[at]?.padEnd(width)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function toCode(source: string): string {
  return `\`${source}\``;
}
