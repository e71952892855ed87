/** The six types that a value can have (language, section 1), in the order in which messages list them. */
export const TYPE_NAMES = ['string', 'number', 'boolean', 'null', 'undefined', 'list'] as const;

export type TypeName = (typeof TYPE_NAMES)[number];

/** A set of types, one bit for each, so that set operations are bit operations. */
export type TypeSet = number;

export const STRING: TypeSet = 1;
export const NUMBER: TypeSet = 2;
export const BOOLEAN: TypeSet = 4;
export const NULL: TypeSet = 8;
export const UNDEFINED: TypeSet = 16;
export const LIST: TypeSet = 32;
export const ANY: TypeSet = 63;

/** The types that `and`, `or` and a filter accept (language, section 4, rule 6). */
export const CONDITION: TypeSet = BOOLEAN | UNDEFINED;

/**
 * Returns the set of some types.
 *
 * @throws {TypeError} for an unknown name.
 */
export function toTypeSet(names: Iterable<TypeName>): TypeSet {
  let set: TypeSet = 0;
  for (const name of names) {
    const bit = TYPE_NAMES.indexOf(name);
    if (bit === -1) throw new TypeError(`Unknown type ${String(name)}. The types are ${TYPE_NAMES.join(', ')}`);
    set |= 1 << bit;
  }
  return set;
}

/** Returns the types in a set, in the order of {@link TYPE_NAMES}. */
export function getTypeNames(set: TypeSet): TypeName[] {
  return TYPE_NAMES.filter((_, bit) => (set & (1 << bit)) !== 0);
}

/** Formats types as a label, such as `number or undefined` or `any`. */
export function showTypes(names: readonly TypeName[]): string {
  return names.length === TYPE_NAMES.length ? 'any' : names.join(' or ');
}

/** Returns whether every type of the inner set is in the outer one. */
export function isSubset(inner: TypeSet, outer: TypeSet): boolean {
  return (inner & ~outer) === 0;
}

const WITH_ARTICLE: Readonly<Record<TypeName, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
  undefined: 'undefined',
  list: 'a list',
};

/** Describes types for a message, such as `a number`, `a string, a number or null` or `any value`. */
export function describeTypes(set: TypeSet): string {
  if (set === ANY) return 'any value';
  const names = getTypeNames(set).map((name) => WITH_ARTICLE[name]);
  const last = names.pop() ?? 'nothing';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
