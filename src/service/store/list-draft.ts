import { isJsonObject } from '../../base/json.ts';

/** Replaces a removed element, so that the indexes of the others stay valid. */
const REMOVED = Symbol('removed');

/** A list that is being updated. An update takes the same time whatever the length of the list. */
export class ListDraft {
  private readonly elements: unknown[];
  /** The indexes of the elements by their canonical JSON. Created on first use. */
  private indexes: Map<string, number[]> | undefined;

  constructor(elements: readonly unknown[]) {
    this.elements = [...elements];
  }

  append(element: unknown): void {
    this.elements.push(element);
    if (this.indexes !== undefined) addIndex(this.indexes, element, this.elements.length - 1);
  }

  /** Appends an element unless the list has an equal one. */
  include(element: unknown): void {
    if (!this.getIndexes().has(toCanonicalJson(element))) this.append(element);
  }

  /** Removes all elements that are equal to this one. */
  remove(element: unknown): void {
    const indexes = this.getIndexes();
    const key = toCanonicalJson(element);
    for (const index of indexes.get(key) ?? []) this.elements[index] = REMOVED;
    indexes.delete(key);
  }

  finish(): readonly unknown[] {
    return this.elements.filter((element) => element !== REMOVED);
  }

  private getIndexes(): Map<string, number[]> {
    if (this.indexes === undefined) {
      this.indexes = new Map();
      for (const [index, element] of this.elements.entries()) addIndex(this.indexes, element, index);
    }
    return this.indexes;
  }
}

function addIndex(indexes: Map<string, number[]>, element: unknown, index: number): void {
  const key = toCanonicalJson(element);
  const equal = indexes.get(key);
  if (equal === undefined) indexes.set(key, [index]);
  else equal.push(index);
}

/** Returns the same string for equal JSON values. The order of keys does not matter. */
function toCanonicalJson(json: unknown): string {
  if (typeof json !== 'object') return JSON.stringify(json);
  return JSON.stringify(json, (_, value: unknown) => {
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
