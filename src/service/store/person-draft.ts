import type { Properties } from '../../lang/value.ts';
import { ListDraft } from './list-draft.ts';

/** A profile that is being updated. It never changes its input values. */
export class PersonDraft {
  private properties: Map<string, unknown>;
  private exists: boolean;

  constructor(profile: Properties | undefined) {
    this.properties = new Map(Object.entries(profile ?? {}));
    this.exists = profile !== undefined;
  }

  /** Creates an empty profile if there is none. */
  create(): void {
    this.exists = true;
  }

  /** Deletes the profile with all its properties. */
  delete(): void {
    this.properties = new Map();
    this.exists = false;
  }

  has(name: string): boolean {
    return this.properties.has(name);
  }

  get(name: string): unknown {
    return this.properties.get(name);
  }

  set(name: string, value: unknown): void {
    this.properties.set(name, value);
  }

  unset(name: string): void {
    this.properties.delete(name);
  }

  /** Returns a property as a list that can be changed; undefined if it is missing or not a list. */
  getList(name: string): ListDraft | undefined {
    const value = this.properties.get(name);
    if (!Array.isArray(value)) return value instanceof ListDraft ? value : undefined;
    const list = new ListDraft(value);
    this.properties.set(name, list);
    return list;
  }

  /** Returns the updated profile; undefined if there is none. */
  finish(): Properties | undefined {
    if (!this.exists) return undefined;
    // Unlike assignment, this creates a property even for `__proto__`.
    return Object.fromEntries(
      [...this.properties].map(([name, value]) => [name, value instanceof ListDraft ? value.finish() : value]),
    );
  }
}
