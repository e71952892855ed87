import { formatProperty } from '../../base/strings.ts';
import type { Use } from '../../lang/check/check.ts';
import type { PropertySchema, Schema } from '../../lang/check/schema.ts';
import { POWER, type Power } from '../../lang/operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, NOW, PREFIX } from '../../lang/operators/table.ts';
import { BOOLEAN, LIST, NUMBER, STRING, type TypeName, type TypeSet } from '../../lang/types.ts';

/** A symbol of a rule: characters, a terminal, a rule, or a choice of sequences that is repeated. */
export type GrammarSymbol =
  | { readonly kind: 'characters'; readonly text: string }
  | { readonly kind: 'terminal'; readonly name: Terminal }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'repeat'; readonly choices: readonly Sequence[]; readonly min: number; readonly max: number };

export type Sequence = readonly GrammarSymbol[];

/** Literals, which each notation writes in its own way. A date is a string that `datetime` can read. */
export type Terminal = 'string' | 'number' | 'date';

/** Rules by name, each with its alternatives. The first one is `root`. */
export type TypedGrammar = ReadonlyMap<string, readonly Sequence[]>;

/** The types that an expression of the grammar can have. */
const TYPES = { boolean: BOOLEAN, number: NUMBER, string: STRING } as const;

type Type = keyof typeof TYPES;

const ALL_TYPES = Object.keys(TYPES) as readonly Type[];

const ROOTS: Readonly<Record<Use, readonly Type[]>> = {
  where: ['boolean'],
  on: ALL_TYPES,
  number: ['number'],
  value: ALL_TYPES,
};

/** The names of the powers, in rules. */
const POWER_NAMES = Object.keys(POWER) as readonly (keyof typeof POWER)[];

/** The levels of parentheses and calls. The limit of the language is far away. */
const MAX_DEPTH = 3;

const MAX_OPERANDS = 16;
const MAX_TERMS = 4;
const MAX_ITEMS = 32;

/**
 * Returns a grammar of expressions that `check` accepts: each operator gets operands of types it takes. It has every
 * operator and function of the operator table, in the layout of `format`, with bounded repetitions and nesting.
 *
 * @param schema If given, the expressions read no other properties, and each only where its types fit.
 */
export function createTypedGrammar(use: Use, schema?: Schema): TypedGrammar {
  return new Builder(schema).build(ROOTS[use]);
}

class Builder {
  private readonly rules = new Map<string, readonly Sequence[]>();

  constructor(private readonly schema: Schema | undefined) {}

  build(types: readonly Type[]): TypedGrammar {
    this.rules.set('root', []);
    this.rules.set(
      'root',
      types.map((type) => [this.getOperand(type, POWER.or, MAX_DEPTH)]),
    );
    return this.rules;
  }

  /** Returns the rule for operands of a type that bind at least as tightly as a power. Adds it if it is missing. */
  private getOperand(type: Type, power: Power, depth: number): GrammarSymbol {
    if (power === POWER.primary) return this.define(`${type}-${depth}`, () => this.listPrimaries(type, depth));
    const next = this.getOperand(type, (power + 1) as Power, depth);
    const sequences = this.listOperations(type, power, depth, next);
    if (sequences.length === 0) return next;
    return this.define(`${type}-${POWER_NAMES[power - 1]}-${depth}`, () => sequences);
  }

  private define(name: string, list: () => readonly Sequence[]): GrammarSymbol {
    if (!this.rules.has(name)) {
      this.rules.set(name, []);
      this.rules.set(name, list());
    }
    return { kind: 'rule', name };
  }

  /** Lists the operations of a power with a result of a type; none if the power has none. */
  private listOperations(type: Type, power: Power, depth: number, next: GrammarSymbol): readonly Sequence[] {
    if (power === POWER.comparison) return type === 'boolean' ? [[next], ...this.listComparisons(depth)] : [];
    const logical = Object.values(LOGICAL).find((row) => row.power === power);
    if (logical !== undefined) return type === 'boolean' ? [joinOperands(next, [logical.name], MAX_OPERANDS)] : [];
    const prefix = Object.values(PREFIX).find((row) => row.power === power);
    if (prefix !== undefined) {
      const takes = prefix.overloads.some(({ operands: [operand], result }) => operand & result & TYPES[type]);
      const written = /\w/.test(prefix.name) ? `${prefix.name} ` : prefix.name;
      return takes ? [[next], [characters(written), next]] : [];
    }
    const rows = Object.values(BINARY).filter((row) => row.power === power);
    const taking = rows.filter(({ overloads }) =>
      overloads.some(({ operands: [left, right], result }) => left & right & result & TYPES[type]),
    );
    return taking.length === 0
      ? []
      : [
          joinOperands(
            next,
            taking.map(({ name }) => name),
            MAX_TERMS,
          ),
        ];
  }

  /** Lists the comparisons of two operands of one type, and those with a list. */
  private listComparisons(depth: number): Sequence[] {
    const rows = Object.values(BINARY).filter((row) => row.power === POWER.comparison);
    return ALL_TYPES.flatMap((type) => {
      const operand = this.getOperand(type, POWER.sum, depth);
      const takes = (left: TypeSet, right: TypeSet) => (left & TYPES[type]) !== 0 && (right & TYPES[type]) !== 0;
      const plain = rows.filter(({ overloads }) => overloads.some(({ operands: [left, right] }) => takes(left, right)));
      const listing = rows.filter(({ overloads }) => overloads.some(({ operands: [, right] }) => right === LIST));
      return [
        [operand, choose(plain.map(({ name }) => [characters(` ${name} `)])), operand],
        ...listing.map(({ name }): Sequence => [operand, characters(` ${name} `), this.getList(type)]),
      ];
    });
  }

  /** Returns the rule for a list of literals of a type, or a property that is a list. */
  private getList(type: Type): GrammarSymbol {
    return this.define(`${type}-list`, () => {
      const items = listLiterals(type).map((literal) =>
        type === 'number' ? [repeat([[characters('-')]], 0, 1), ...literal] : literal,
      );
      const item = choose(items);
      const others = repeat([[characters(', '), item]], 0, MAX_ITEMS - 1);
      return [[characters('['), item, others, characters(']')], ...this.listProperties('list')];
    });
  }

  /** Lists what binds tightest: literals, words, properties and, above the innermost level, calls and parentheses. */
  private listPrimaries(type: Type, depth: number): Sequence[] {
    const words = (NOW.result & TYPES[type]) === 0 ? [] : [[characters(NOW.name)]];
    const leaves = [...listLiterals(type), ...words, ...this.listProperties(type)];
    if (depth === 0) return leaves;
    const inner = this.getOperand(type, POWER.or, depth - 1);
    return [...leaves, ...this.listCalls(type, depth - 1), [characters('('), inner, characters(')')]];
  }

  private listCalls(type: Type, depth: number): Sequence[] {
    return Object.values(FUNCTIONS).flatMap((row): Sequence[] => {
      const accepted = row.overloads.filter(({ result }) => (result & TYPES[type]) !== 0);
      const taken = ALL_TYPES.filter((one) => accepted.some(({ operands: [operand] }) => (operand & TYPES[one]) !== 0));
      const operands = taken.flatMap((one): Sequence[] => {
        // A string that is not a date would always be undefined.
        if (row.name === FUNCTIONS.datetime.name && one === 'string')
          return [[{ kind: 'terminal', name: 'date' }], ...this.listProperties(one)];
        return [[this.getOperand(one, POWER.or, depth)]];
      });
      return operands.length === 0 ? [] : [[characters(`${row.name}(`), choose(operands), characters(')')]];
    });
  }

  /** Lists the properties that can have a type: all names without a schema, else those it knows. */
  private listProperties(type: TypeName): Sequence[] {
    const { schema } = this;
    if (schema === undefined) return [[this.define('property', listAnyProperty)]];
    const known = SCOPES.flatMap((scope) =>
      Object.entries(schema[scope] ?? {}).map(([name, property]) => [formatProperty(scope, name), property] as const),
    ).filter(([, { types }]: readonly [string, PropertySchema]) => types.includes(type));
    if (known.length === 0) return [];
    return [[this.define(`${type}-property`, () => known.map(([written]) => [characters(written)]))]];
  }
}

const SCOPES = ['properties', 'user'] as const;

function listAnyProperty(): readonly Sequence[] {
  return SCOPES.map((scope) => [characters(`${scope}[`), { kind: 'terminal', name: 'string' }, characters(']')]);
}

function listLiterals(type: Type): Sequence[] {
  if (type === 'boolean') return [[characters('true')], [characters('false')]];
  return [[{ kind: 'terminal', name: type }]];
}

/** Returns an operand and up to `max - 1` more, each after one of the operators. */
function joinOperands(operand: GrammarSymbol, operators: readonly string[], max: number): Sequence {
  const operator = choose(operators.map((name) => [characters(` ${name} `)]));
  return [operand, repeat([[operator, operand]], 0, max - 1)];
}

function characters(text: string): GrammarSymbol {
  return { kind: 'characters', text };
}

function repeat(choices: readonly Sequence[], min: number, max: number): GrammarSymbol {
  return { kind: 'repeat', choices, min, max };
}

/** Returns one of some sequences. */
function choose(choices: readonly Sequence[]): GrammarSymbol {
  const [only] = choices;
  if (choices.length === 1 && only?.length === 1) return only[0] as GrammarSymbol;
  return repeat(choices, 1, 1);
}
