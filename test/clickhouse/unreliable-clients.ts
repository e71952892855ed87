import type { ClickHouseClient } from '@clickhouse/client';

/** Passes statements on to a client, each through a function. */
abstract class InterceptingClient {
  constructor(private readonly client: ClickHouseClient) {}

  /** The client as a store takes it. */
  get asClient(): ClickHouseClient {
    return this as unknown as ClickHouseClient;
  }

  command(parameters: Parameters<ClickHouseClient['command']>[0]) {
    return this.intercept((query) => this.client.command({ ...parameters, query }), parameters.query);
  }

  query(parameters: Parameters<ClickHouseClient['query']>[0]) {
    return this.intercept((query) => this.client.query({ ...parameters, query }), parameters.query);
  }

  exec(parameters: Parameters<ClickHouseClient['exec']>[0]) {
    return this.intercept((query) => this.client.exec({ ...parameters, query }), parameters.query);
  }

  protected abstract intercept(run: (query: string) => Promise<unknown>, query: string): Promise<unknown>;
}

/**
 * A client whose connection breaks at a given statement, after the database ran it and before the response arrives. A
 * statement that never arrives leaves the state of the one before it, so the test at the next statement covers that
 * case.
 */
export class BreakingClient extends InterceptingClient {
  private statement = 0;
  /** The number of the statement at which to break, counted from the last call of `breakAt`; 0 for none. */
  private breakPoint = 0;

  breakAt(statement: number): void {
    [this.statement, this.breakPoint] = [0, statement];
  }

  protected async intercept(run: (query: string) => Promise<unknown>, query: string): Promise<unknown> {
    const result = await run(query);
    if (++this.statement === this.breakPoint) throw new Error('socket hang up');
    return result;
  }
}

/** A client whose connection breaks at a statement that changes something. The statement arrives later. */
export class LateClient extends InterceptingClient {
  /** The statements that change something, since the last call of `withhold`. */
  changes: string[] = [];
  private breakPoint = 0;
  private late: { readonly query: string; readonly run: () => Promise<unknown> } | undefined;
  /** The number of statements until the late one arrives. */
  private patience = 0;

  /** Breaks at a change, counted from this call; 0 for none. */
  withhold(change: number): void {
    [this.changes, this.breakPoint, this.late] = [[], change, undefined];
  }

  /** The late statement, until it arrives. */
  get withheld(): string | undefined {
    return this.late?.query;
  }

  /** Lets the late statement arrive before another one, counted from this call. */
  releaseAt(statement: number): void {
    [this.breakPoint, this.patience] = [0, statement];
  }

  /** Lets the late statement arrive now, if it has not arrived. The database may refuse it. */
  async release(): Promise<void> {
    const { late } = this;
    this.late = undefined;
    await late?.run().catch(() => undefined);
  }

  protected async intercept(run: (query: string) => Promise<unknown>, query: string): Promise<unknown> {
    if (--this.patience === 0) await this.release();
    if (!/^\s*(SELECT|WITH)\b/.test(query) && this.changes.push(query) === this.breakPoint) {
      // Another replica may have checked the condition of a commit before.
      this.late = { query, run: () => run(isCommit(query) ? query.replace(/\sWHERE .*/s, '') : query) };
      throw new Error('socket hang up');
    }
    return run(query);
  }
}

/** Tests whether a statement commits a flush. */
export function isCommit(query: string): boolean {
  return query.includes('_commits (kind, number, settle, segments)');
}
