import type { Read } from '../../plan/plan.ts';

/** Text that reads a property into its variable or takes it from there, and the variable, which holds it from then on. */
export interface PropertyReading {
  readonly reading: string;
  readonly variable: string;
}

export interface PropertyLocal {
  readonly read: Read;
  readonly index: number;
  /** Whether it has surely been read where the text is at. */
  certain: boolean;
  /** Whether there is a place that has to see at run time whether it has been read. */
  marked: boolean;
}

/** The properties that a function reads: each has a variable of its own, and is read at most once. */
export class PropertyLocals {
  private readonly slots = new Map<string, PropertyLocal>();
  /** Those that are certain, in the order in which they became so. */
  private readonly certain: PropertyLocal[] = [];

  get all(): readonly PropertyLocal[] {
    return [...this.slots.values()];
  }

  read(read: Read): PropertyReading {
    const key = `${read.scope} ${read.name}`;
    const known = this.slots.get(key);
    const slot = known ?? { read, index: this.slots.size, certain: false, marked: false };
    this.slots.set(key, slot);
    const variable = `v${slot.index}`;
    if (slot.certain) return { reading: variable, variable };
    slot.certain = true;
    this.certain.push(slot);
    const assignment = `${variable} = ${read.scope === 'user' ? 'w' : 'p'}[k${slot.index}]`;
    if (known === undefined) return { reading: `(${assignment})`, variable };
    slot.marked = true;
    return { reading: `(${variable} === UNREAD ? ${assignment} : ${variable})`, variable };
  }

  /** Begins text that may not be run at all, or not to its end: what it reads is not certain behind it. Call the answer there. */
  branch(): () => void {
    const before = this.certain.length;
    return () => {
      for (const slot of this.certain.splice(before)) slot.certain = false;
    };
  }
}
