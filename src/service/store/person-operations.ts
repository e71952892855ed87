import { isJsonObject, type JsonObject } from '../../lang/util/json.ts';
import { ListDraft } from './list-draft.ts';
import type { PersonDraft } from './person-draft.ts';

/** What an operation must be given. */
interface ArgumentShape {
  /** For people, after "takes". */
  readonly description: string;
  readonly isWhole: (argument: unknown) => boolean;
  /** What the whole may have under a name, or at an index; without it, anything. */
  readonly isPart?: (part: unknown) => boolean;
}

/** A row of the table of operations. */
export interface PersonOperation {
  readonly takes: ArgumentShape;
  /** Changes the draft by an argument of that shape. */
  readonly apply: (draft: PersonDraft, argument: never) => void;
}

const isNumber = (json: unknown) => typeof json === 'number';
const isText = (json: unknown) => typeof json === 'string';

// biome-ignore format: a table, to be read by its rows
const SHAPES = {
  values:   { description: 'an object of properties, such as {"plan": "pro"}', isWhole: isJsonObject },
  numbers:  { description: 'an object of numbers, such as {"visits": 1}', isWhole: isJsonObject, isPart: isNumber },
  lists:    { description: 'an object of lists, such as {"tags": ["new"]}', isWhole: isJsonObject, isPart: Array.isArray },
  names:    { description: 'a list of property names, such as ["plan"]', isWhole: Array.isArray, isPart: isText },
  anything: { description: 'anything', isWhole: () => true },
} as const satisfies Record<string, ArgumentShape>;

/**
 * The operations of people records. What does not fit an operation, such as a text that a number should be added to, is left as it is:
 * the record was acknowledged before anyone could know.
 */
// biome-ignore format: a table, to be read by its rows
export const PERSON_OPERATIONS: ReadonlyMap<string, PersonOperation> = new Map([
  ['$set',      { takes: SHAPES.values,   apply: each((draft, name, value) => draft.set(name, value)) }],
  ['$set_once', { takes: SHAPES.values,   apply: each((draft, name, value) => draft.has(name) || draft.set(name, value)) }],
  ['$add',      { takes: SHAPES.numbers,  apply: each(add) }],
  ['$append',   { takes: SHAPES.values,   apply: each((draft, name, value) => listIn(draft, name)?.append(value)) }],
  ['$union',    { takes: SHAPES.lists,    apply: each((draft, name, values) => union(draft, name, values as readonly unknown[])) }],
  ['$remove',   { takes: SHAPES.values,   apply: each((draft, name, value) => draft.list(name)?.remove(value)) }],
  ['$unset',    { takes: SHAPES.names,    apply: unset }],
  ['$delete',   { takes: SHAPES.anything, apply: (draft: PersonDraft) => draft.delete() }],
  // Profiles of an export, of `engage` too, can be imported without being rewritten.
  ['$properties', { takes: SHAPES.values, apply: each((draft, name, value) => draft.set(name, value)) }],
]);

/** An operation that changes one property after the other. */
function each(change: (draft: PersonDraft, name: string, value: unknown) => void) {
  return (draft: PersonDraft, argument: JsonObject) => {
    draft.create();
    for (const [name, value] of Object.entries(argument)) change(draft, name, value);
  };
}

/** A property that is missing counts as 0. A sum beyond what a double holds is not taken. */
function add(draft: PersonDraft, name: string, value: unknown): void {
  const before = draft.has(name) ? draft.get(name) : 0;
  if (typeof before !== 'number') return;
  const sum = before + (value as number);
  if (Number.isFinite(sum)) draft.set(name, sum);
}

/** As `draft.list`, but a list that is missing is made. */
function listIn(draft: PersonDraft, name: string): ListDraft | undefined {
  if (!draft.has(name)) draft.set(name, new ListDraft([]));
  return draft.list(name);
}

function union(draft: PersonDraft, name: string, values: readonly unknown[]): void {
  const list = listIn(draft, name);
  for (const value of values) list?.include(value);
}

function unset(draft: PersonDraft, names: readonly string[]): void {
  draft.create();
  for (const name of names) draft.unset(name);
}
