import type { CountType } from '../requests.ts';

/** Counts events and their users in cells, which are numbered from 0. Events must come in order of user. */
export class Cells {
  private readonly events: Uint32Array;
  private readonly users: Uint32Array;
  /** The last user of each cell, plus 1. */
  private readonly last: Uint32Array;

  constructor(count: number) {
    this.events = new Uint32Array(count);
    this.users = new Uint32Array(count);
    this.last = new Uint32Array(count);
  }

  add(cell: number, user: number): void {
    (this.events[cell] as number)++;
    if (this.last[cell] === user + 1) return;
    this.last[cell] = user + 1;
    (this.users[cell] as number)++;
  }

  /** Returns the count of a cell; 0 if it has no events. */
  count(cell: number, type: CountType): number {
    const [events, users] = [this.events[cell] as number, this.users[cell] as number];
    if (type === 'general') return events;
    return type === 'unique' ? users : events / Math.max(users, 1);
  }

  /** Returns the users per event of a cell; 0 if it has no events. */
  countUsersPerEvent(cell: number): number {
    return (this.users[cell] as number) / Math.max(this.events[cell] as number, 1);
  }
}
