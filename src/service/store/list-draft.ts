import { isJsonObject } from '../../lang/util/json.ts';

/** Stands where an element was, so that the others keep their places. */
const REMOVED = Symbol('removed');

/** A list while updates change it: each takes as long in a long list as in a short one. */
export class ListDraft {
  private readonly elements: unknown[];
  /** Where each element stands, by what equal elements have in common. Made when it is needed first. */
  private places: Map<string, number[]> | undefined;

  constructor(elements: readonly unknown[]) {
    this.elements = [...elements];
  }

  append(element: unknown): void {
    this.elements.push(element);
    if (this.places !== undefined) enter(this.places, element, this.elements.length - 1);
  }

  /** Appends the element unless the list has its equal. */
  include(element: unknown): void {
    if (!this.index().has(canonicalText(element))) this.append(element);
  }

  /** Takes out every equal of the element. */
  remove(element: unknown): void {
    const places = this.index();
    const text = canonicalText(element);
    for (const place of places.get(text) ?? []) this.elements[place] = REMOVED;
    places.delete(text);
  }

  finish(): readonly unknown[] {
    return this.elements.filter((element) => element !== REMOVED);
  }

  private index(): Map<string, number[]> {
    if (this.places === undefined) {
      this.places = new Map();
      for (const [place, element] of this.elements.entries()) enter(this.places, element, place);
    }
    return this.places;
  }
}

function enter(places: Map<string, number[]>, element: unknown, place: number): void {
  const text = canonicalText(element);
  const equals = places.get(text);
  if (equals === undefined) places.set(text, [place]);
  else equals.push(place);
}

/** The same text for equal JSON: the order of names is none of an object's value. */
function canonicalText(json: unknown): string {
  if (typeof json !== 'object') return JSON.stringify(json);
  return JSON.stringify(json, (_, value: unknown) => {
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
