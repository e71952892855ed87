import { BOOLEAN, UNDEFINED } from '../language/types.ts';
import { type LogicalRow, POWER, type StrictRow } from './row.ts';

// biome-ignore format: a table, to be read by its rows
export const LOGIC = {
  or: {
    name: 'or', fixity: 'logical', power: POWER.or, decidedBy: true,
    summary: 'True if some operand is true. An operand that is neither a boolean nor undefined is a type error.',
    examples: [['false or true', 'true'], ['properties["missing"] or false', 'false']],
  },
  and: {
    name: 'and', fixity: 'logical', power: POWER.and, decidedBy: false,
    summary: 'True if every operand is true. An operand that is neither a boolean nor undefined is a type error.',
    examples: [['true and 1 < 2', 'true'], ['true and properties["missing"]', 'false']],
  },
  not: {
    name: 'not', fixity: 'prefix', power: POWER.not,
    summary: 'The opposite of a boolean; true for undefined.',
    examples: [['not 1 == 2', 'true'], ['not properties["missing"]', 'true'], ['not "text"', 'undefined']],
    overloads: [
      { id: 'not.boolean', operands: [BOOLEAN], result: BOOLEAN, answer: (operand: boolean) => !operand },
      { id: 'not.undefined', operands: [UNDEFINED], result: BOOLEAN, answer: () => true },
    ],
  },
} as const satisfies Record<string, LogicalRow | StrictRow>;
