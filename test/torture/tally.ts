/** What was done to a server, and what was found. */
export class Tally {
  readonly kills = new Map<string, number>();
  /** Violations, one line each. */
  readonly failures: string[] = [];
  /** Batches whose import was acknowledged. */
  batches = 0;
  /** Records that were looked for, each time they were. */
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

  /** Notes a violation unless a condition holds. */
  expect(condition: boolean, violation: string): void {
    if (!condition) this.failures.push(violation);
  }

  /** Takes over what was found somewhere. */
  add(found: Tally, where: string): void {
    this.records += found.records;
    this.lost += found.lost;
    this.doubled += found.doubled;
    for (const failure of found.failures) this.failures.push(`${failure} (${where})`);
  }

  /** One line for the terminal. */
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
