import { CENSUS_LIMITS } from './census-limits.ts';
import {
  type DecidingClause,
  type DiffExample,
  type DifferingRecords,
  type DiffPart,
  IS_NEW,
  IS_OLD,
  MAX_EXAMPLES,
} from './diff-counter.ts';

/** The most reasons that are told apart. */
const MAX_REASONS = 1_000;

/** An example with the file that it is in. `line` counts from the first line of the file. */
interface PlacedExample extends DiffExample {
  readonly file: string;
}

/** Clauses that decide together, and the number of records. */
interface DiffReason {
  readonly records: number;
  readonly clauses: readonly DecidingClause[];
}

/** Records and users that one filter selects and the other does not. */
export interface DifferingTotal {
  readonly records: number;
  readonly users: number;
  /** The most frequent first. */
  readonly reasons: readonly DiffReason[];
  /** The records with reasons beyond the limit. */
  readonly otherReasons: number;
  readonly examples: readonly PlacedExample[];
}

interface Differing {
  records: number;
  readonly reasons: Map<string, number>;
  otherReasons: number;
  readonly examples: PlacedExample[];
}

/** Adds up how two filters differ on the records of files, in bounded memory. */
export class DiffTotals {
  records = 0;
  readonly old = { records: 0, failures: 0 };
  readonly new = { records: 0, failures: 0 };
  /** Whether there are more users than are counted. */
  areUsersLimited = false;
  private readonly users = new Map<string, number>();
  private readonly differing = { joining: createDiffering(), leaving: createDiffering() };

  /** @param maxUsers Later users are not counted. */
  constructor(private readonly maxUsers = CENSUS_LIMITS.users) {}

  /** Adds a part that begins after a line of a file. */
  merge(part: DiffPart, { file, line }: { readonly file: string; readonly line: number }): void {
    this.records += part.records;
    for (const filter of ['old', 'new'] as const) {
      this[filter].records += part[filter].records;
      this[filter].failures += part[filter].failures;
    }
    for (const kind of ['joining', 'leaving'] as const)
      mergeDiffering(this.differing[kind], part[kind], (example) => ({ ...example, file, line: line + example.line }));
    for (const [user, filters] of part.users) {
      const known = this.users.get(user);
      if (known !== undefined || this.users.size < this.maxUsers) this.users.set(user, (known ?? 0) | filters);
      else this.areUsersLimited = true;
    }
  }

  /** Returns the number of users with a record that a filter selects. */
  countUsers(filter: 'old' | 'new'): number {
    return this.countUsersWith((filters) => (filters & (filter === 'old' ? IS_OLD : IS_NEW)) !== 0);
  }

  /** Returns what only the new filter selects, or only the old one. */
  getDiffering(kind: 'joining' | 'leaving'): DifferingTotal {
    const { reasons, ...total } = this.differing[kind];
    const sorted = [...reasons].sort(([, left], [, right]) => right - left);
    return {
      ...total,
      users: this.countUsersWith((filters) => filters === (kind === 'joining' ? IS_NEW : IS_OLD)),
      reasons: sorted.map(([clauses, records]) => ({ records, clauses: JSON.parse(clauses) })),
    };
  }

  private countUsersWith(test: (filters: number) => boolean): number {
    let count = 0;
    for (const filters of this.users.values()) if (test(filters)) count++;
    return count;
  }
}

function createDiffering(): Differing {
  return { records: 0, reasons: new Map(), otherReasons: 0, examples: [] };
}

function mergeDiffering(
  total: Differing,
  { records, reasons, examples }: DifferingRecords,
  place: (example: DiffExample) => PlacedExample,
): void {
  total.records += records;
  for (const [reason, count] of reasons) {
    const known = total.reasons.get(reason);
    if (known !== undefined || total.reasons.size < MAX_REASONS) total.reasons.set(reason, (known ?? 0) + count);
    else total.otherReasons += count;
  }
  total.examples.push(...examples.slice(0, MAX_EXAMPLES - total.examples.length).map(place));
}
