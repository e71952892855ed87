import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { ListDraft } from './list-draft.ts';
import type { PersonDraft } from './person-draft.ts';

/** The argument that an operation takes. */
interface ArgumentShape {
  /** The end of an error message, after "takes". */
  readonly description: string;
  readonly isWhole: (argument: unknown) => boolean;
  /** Checks each property or element of the argument. By default, any is valid. */
  readonly isPart?: (part: unknown) => boolean;
}

/** A row of the operation table. */
export interface PersonOperation {
  readonly takes: ArgumentShape;
  /** Changes the draft. The argument must have that shape. */
  readonly apply: (draft: PersonDraft, argument: never) => void;
}

const isNumber = (json: unknown) => typeof json === 'number';
const isString = (json: unknown) => typeof json === 'string';

// biome-ignore format: a table, to be read by its rows
const SHAPES = {
  values:   { description: 'an object of properties, such as {"plan": "pro"}', isWhole: isJsonObject },
  numbers:  { description: 'an object of numbers, such as {"visits": 1}', isWhole: isJsonObject, isPart: isNumber },
  lists:    { description: 'an object of lists, such as {"tags": ["new"]}', isWhole: isJsonObject, isPart: Array.isArray },
  names:    { description: 'a list of property names, such as ["plan"]', isWhole: Array.isArray, isPart: isString },
  anything: { description: 'anything', isWhole: () => true },
} as const satisfies Record<string, ArgumentShape>;

/**
 * The operations of people records. A property that does not fit an operation, such as a string to which a number
 * should be added, stays unchanged: the record was acknowledged before the profile was read.
 */
// biome-ignore format: a table, to be read by its rows
export const PERSON_OPERATIONS: ReadonlyMap<string, PersonOperation> = new Map([
  ['$set',      { takes: SHAPES.values,   apply: each((draft, name, value) => draft.set(name, value)) }],
  ['$set_once', { takes: SHAPES.values,   apply: each((draft, name, value) => draft.has(name) || draft.set(name, value)) }],
  ['$add',      { takes: SHAPES.numbers,  apply: each(add) }],
  ['$append',   { takes: SHAPES.values,   apply: each((draft, name, value) => getOrCreateList(draft, name)?.append(value)) }],
  ['$union',    { takes: SHAPES.lists,    apply: each((draft, name, values) => union(draft, name, values as readonly unknown[])) }],
  ['$remove',   { takes: SHAPES.values,   apply: each((draft, name, value) => draft.getList(name)?.remove(value)) }],
  ['$unset',    { takes: SHAPES.names,    apply: unset }],
  ['$delete',   { takes: SHAPES.anything, apply: (draft: PersonDraft) => draft.delete() }],
  // Lets exported profiles, also those of `engage`, be imported unchanged.
  ['$properties', { takes: SHAPES.values, apply: each((draft, name, value) => draft.set(name, value)) }],
]);

/** Returns an operation that applies a change to each property of its argument. */
function each(change: (draft: PersonDraft, name: string, value: unknown) => void) {
  return (draft: PersonDraft, argument: JsonObject) => {
    draft.create();
    for (const [name, value] of Object.entries(argument)) change(draft, name, value);
  };
}

/** Adds to a number. A missing property counts as 0. A sum that is not a finite double is ignored. */
function add(draft: PersonDraft, name: string, value: unknown): void {
  const before = draft.has(name) ? draft.get(name) : 0;
  if (typeof before !== 'number') return;
  const sum = before + (value as number);
  if (Number.isFinite(sum)) draft.set(name, sum);
}

/** Like `draft.getList`, but creates a missing list. */
function getOrCreateList(draft: PersonDraft, name: string): ListDraft | undefined {
  if (!draft.has(name)) draft.set(name, new ListDraft([]));
  return draft.getList(name);
}

function union(draft: PersonDraft, name: string, values: readonly unknown[]): void {
  const list = getOrCreateList(draft, name);
  for (const value of values) list?.include(value);
}

function unset(draft: PersonDraft, names: readonly string[]): void {
  draft.create();
  for (const name of names) draft.unset(name);
}
