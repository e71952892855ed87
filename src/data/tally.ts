/** The number of records, or the set of users. */
export type Counted = number | Set<string>;

/** Counts records or distinct users. */
export class Tally {
  private counted: Counted;
  /** Users that a database has counted, without their ids. */
  private numberOfUsers = 0;

  constructor(private readonly unique: boolean) {
    this.counted = unique ? new Set() : 0;
  }

  /** Counts a record. Pass its user to count users. */
  add(user = ''): void {
    if (typeof this.counted === 'number') this.counted++;
    else this.counted.add(user);
  }

  /** Returns and resets the count. */
  take(): Counted {
    const { counted } = this;
    this.counted = this.unique ? new Set() : 0;
    return counted;
  }

  /** Adds the count of another tally of the same kind, or a number of users that no other tally counts. */
  merge(counted: Counted): void {
    if (typeof counted !== 'number') for (const user of counted) this.add(user);
    else if (typeof this.counted === 'number') this.counted += counted;
    else this.numberOfUsers += counted;
  }

  get count(): number {
    return typeof this.counted === 'number' ? this.counted : this.counted.size + this.numberOfUsers;
  }
}
