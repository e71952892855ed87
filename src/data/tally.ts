/** How many records there are, or which users. */
export type Counted = number | Set<string>;

/** Counts records, or the distinct users among them. */
export class Tally {
  private counted: Counted;
  /** Users that are known by their number only. */
  private apart = 0;

  constructor(private readonly unique: boolean) {
    this.counted = unique ? new Set() : 0;
  }

  /** Counts a record; where users are counted, it has one. */
  add(user = ''): void {
    if (typeof this.counted === 'number') this.counted++;
    else this.counted.add(user);
  }

  /** What was counted since the last time. */
  take(): Counted {
    const { counted } = this;
    this.counted = this.unique ? new Set() : 0;
    return counted;
  }

  /** Adds what another tally of this kind counted; a number of users where it alone has them. */
  merge(counted: Counted): void {
    if (typeof counted !== 'number') for (const user of counted) this.add(user);
    else if (typeof this.counted === 'number') this.counted += counted;
    else this.apart += counted;
  }

  get count(): number {
    return typeof this.counted === 'number' ? this.counted : this.counted.size + this.apart;
  }
}
