import type { Properties } from '../../lang/value.ts';
import { ListDraft } from './list-draft.ts';

/** A profile while updates change it. What it was made from, and what it is given, stays as it is. */
export class PersonDraft {
  private properties: Map<string, unknown>;
  private exists: boolean;

  constructor(profile: Properties | undefined) {
    this.properties = new Map(Object.entries(profile ?? {}));
    this.exists = profile !== undefined;
  }

  /** From here on there is a profile, if only an empty one. */
  create(): void {
    this.exists = true;
  }

  /** Forgets the profile with all it has. */
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

  /** The property as a list to be changed; undefined where it holds something else or is missing. */
  list(name: string): ListDraft | undefined {
    const value = this.properties.get(name);
    if (!Array.isArray(value)) return value instanceof ListDraft ? value : undefined;
    const list = new ListDraft(value);
    this.properties.set(name, list);
    return list;
  }

  /** What the updates came to; undefined where there is no profile. */
  finish(): Properties | undefined {
    if (!this.exists) return undefined;
    // Unlike assignment, this makes `__proto__` a property like others.
    return Object.fromEntries(
      [...this.properties].map(([name, value]) => [name, value instanceof ListDraft ? value.finish() : value]),
    );
  }
}
