/** Counts records, or the distinct users among them. */
export class Tally {
  private total = 0;
  private readonly users: Set<string> | undefined;
  /** Records that no user can be counted for. */
  withoutUser = 0;

  constructor(unique: boolean) {
    this.users = unique ? new Set() : undefined;
  }

  add(user: string | undefined): void {
    if (this.users === undefined) this.total++;
    else if (user === undefined) this.withoutUser++;
    else this.users.add(user);
  }

  get count(): number {
    return this.users?.size ?? this.total;
  }
}
