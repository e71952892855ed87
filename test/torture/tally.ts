/** Counts kills, and the records and violations that the checks found. */
export class Tally {
  readonly kills = new Map<string, number>();
  /** Violations, one line each. */
  readonly failures: string[] = [];
  /** Batches whose import was acknowledged. */
  batches = 0;
  /** Records that were checked. A record that is checked twice counts twice. */
  records = 0;
  /** Acknowledged records that were not found, and records that were found more than once. */
  lost = 0;
  doubled = 0;

  kill(kind: string): void {
    this.kills.set(kind, (this.kills.get(kind) ?? 0) + 1);
  }

  get killed(): number {
    return [...this.kills.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Adds a violation unless the condition holds. */
  expect(condition: boolean, violation: string): void {
    if (!condition) this.failures.push(violation);
  }

  /** Adds the results of another tally. `where` is appended to its failures. */
  add(found: Tally, where: string): void {
    this.records += found.records;
    this.lost += found.lost;
    this.doubled += found.doubled;
    for (const failure of found.failures) this.failures.push(`${failure} (${where})`);
  }

  /** Returns one line for the terminal. */
  summary(): string {
    const kinds = [...this.kills].sort(([one], [other]) => (one < other ? -1 : 1));
    const kills = kinds.map(([kind, count]) => `${kind} ${count}`).join(', ');
    const { batches, records, lost, doubled } = this;
    return (
      `${this.killed} kills (${kills}); ${batches} batches acknowledged, ${records} records checked, ` +
      `${lost} lost, ${doubled} doubled, ${this.failures.length} failures`
    );
  }
}
