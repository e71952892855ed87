import { Random } from '../../src/data/random.ts';

/** A part of a filter: a comparison of one property with a constant. */
export interface Clause {
  readonly kind: 'equals' | 'differs' | 'exceeds' | 'contains';
  readonly name: string;
  readonly value: string | number;
}

/** A filter of the benchmark: all of its clauses are true. */
export type Conjunction = readonly Clause[];

export type BenchEvent = Readonly<Record<string, string | number>>;

/** Properties are as frequent as words: the second half as often as the first, the third a third. */
const PROPERTIES = 200;
const CLAUSES = 3;
const EVENT_PROPERTIES = 30;
/** Distinct values of a property. */
const NUMBERS = 1_000;
const STRINGS = 100;

const CUMULATIVE = Array.from({ length: PROPERTIES }, (_, rank) =>
  Array.from({ length: rank + 1 }, (_, index) => 1 / (index + 1)).reduce((sum, share) => sum + share, 0),
);

/** Every fourth property is a number. */
const isNumeric = (property: number) => property % 4 === 3;

/** Draws filters of three clauses: 5 % ranges, 5 % substrings, 5 % negations, and equalities. */
export function drawFilters(count: number): Conjunction[] {
  const random = new Random(count);
  return Array.from({ length: count }, () => Array.from({ length: CLAUSES }, () => drawClause(random)));
}

/** Draws filters that no key finds, because they also match events without the properties. */
export function drawHardFilters(count: number): Conjunction[] {
  const random = new Random(count);
  const draw = (): Clause => {
    const property = drawProperty(random);
    return { kind: 'differs', name: nameOf(property), value: drawValue(random, property) };
  };
  return Array.from({ length: count }, () => Array.from({ length: CLAUSES }, draw));
}

/** Draws events of 30 properties. */
export function drawEvents(count: number): BenchEvent[] {
  const random = new Random(1);
  return Array.from({ length: count }, () => {
    const properties = new Map<string, string | number>();
    while (properties.size < EVENT_PROPERTIES) {
      const property = drawProperty(random);
      properties.set(nameOf(property), drawValue(random, property));
    }
    return Object.fromEntries(properties);
  });
}

/** Writes a filter as an expression. */
export function writeFilter(filter: Conjunction): string {
  return filter.map(writeClause).join(' and ');
}

function writeClause({ kind, name, value }: Clause): string {
  const [property, literal] = [`properties["${name}"]`, JSON.stringify(value)];
  switch (kind) {
    case 'equals':
      return `${property} == ${literal}`;
    case 'differs':
      return `not ${property} == ${literal}`;
    case 'exceeds':
      return `${property} > ${literal}`;
    case 'contains':
      return `${literal} in ${property}`;
  }
}

function drawClause(random: Random): Clause {
  const property = drawProperty(random);
  const kind = random.integer(0, 99);
  if (kind < 5)
    return { kind: 'exceeds', name: nameOf(property | 3), value: random.integer(0.9 * NUMBERS, NUMBERS - 1) };
  if (kind < 10) return { kind: 'contains', name: nameOf(property & ~1), value: String(random.integer(0, 99)) };
  return { kind: kind < 15 ? 'differs' : 'equals', name: nameOf(property), value: drawValue(random, property) };
}

function drawProperty(random: Random): number {
  const share = (random.integer(0, 1e9) / 1e9) * (CUMULATIVE.at(-1) ?? 0);
  return CUMULATIVE.findIndex((sum) => sum >= share);
}

function drawValue(random: Random, property: number): string | number {
  return isNumeric(property) ? random.integer(0, NUMBERS - 1) : `value ${random.integer(0, STRINGS - 1)}`;
}

function nameOf(property: number): string {
  return `p${property}`;
}
