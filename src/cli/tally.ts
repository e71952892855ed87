/** Counts records, or the distinct users among them. */
export class Tally {
  private total = 0;
  private readonly users: Set<string> | undefined;

  constructor(unique: boolean) {
    this.users = unique ? new Set() : undefined;
  }

  /** A record without a user is no user. */
  add(user: string | undefined): void {
    if (this.users === undefined) this.total++;
    else if (user !== undefined) this.users.add(user);
  }

  get count(): number {
    return this.users?.size ?? this.total;
  }
}
