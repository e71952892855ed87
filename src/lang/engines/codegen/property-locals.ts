import type { Read } from '../../plan/plan.ts';

/** The code for a property: an expression that reads it on first use, and the variable that holds it afterwards. */
export interface PropertyReading {
  readonly reading: string;
  readonly variable: string;
}

export interface PropertyLocal {
  readonly read: Read;
  readonly index: number;
  /** Whether the variable is certain to hold the property at the current position in the code. */
  certain: boolean;
  /** Whether some code must check at run time if the property has been read, so the variable starts as `UNREAD`. */
  needsMarker: boolean;
}

/** The properties that a generated function reads. Each has its own variable and is read at most once per call. */
export class PropertyLocals {
  private readonly locals = new Map<string, PropertyLocal>();
  /** The certain locals, in the order in which they became certain. */
  private readonly alreadyRead: PropertyLocal[] = [];

  get all(): readonly PropertyLocal[] {
    return [...this.locals.values()];
  }

  read(read: Read): PropertyReading {
    const key = `${read.scope} ${read.name}`;
    const known = this.locals.get(key);
    const local = known ?? { read, index: this.locals.size, certain: false, needsMarker: false };
    this.locals.set(key, local);
    const variable = `v${local.index}`;
    if (local.certain) return { reading: variable, variable };
    local.certain = true;
    this.alreadyRead.push(local);
    const assignment = `${variable} = ${read.scope === 'user' ? 'w' : 'p'}[k${local.index}]`;
    if (known === undefined) return { reading: `(${assignment})`, variable };
    local.needsMarker = true;
    return { reading: `(${variable} === UNREAD ? ${assignment} : ${variable})`, variable };
  }

  /**
   * Begins code that may not run, or not to its end: properties that it reads are not certain after it. Returns a
   * function to call at the end of that code.
   */
  startBranch(): () => void {
    const before = this.alreadyRead.length;
    return () => {
      for (const local of this.alreadyRead.splice(before)) local.certain = false;
    };
  }
}
