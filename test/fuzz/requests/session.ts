import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc, { type Arbitrary } from 'fast-check';
import { ENDPOINTS } from '../../../src/queries/endpoints/endpoints.ts';
import { HAS_CLICKHOUSE } from '../../clickhouse/open-clickhouse.ts';
import { ServerProcess } from '../../end-to-end/server-process.ts';
import { startChild } from '../../spawned.ts';
import { createRequests, type Drawn, SESSION } from './draw.ts';
import { encode, type Outcome, Wire, type Written } from './exchange.ts';
import { findProblem, isComparable, isExpected, type Problem } from './judge.ts';
import { createOperation, listDocumentedOperations, type Operation } from './operation.ts';
import { type Expected, Oracle } from './oracle.ts';
import { createTargets, importTargets, type Target } from './target.ts';

const CLICKHOUSE = fileURLToPath(new URL('./clickhouse-server-process.ts', import.meta.url));

/** The time limit of a query, and of its time in the queue. */
const LIMIT_SECONDS = 5;

/** The extra time for a busy machine. Requests that hang take longer. */
const GRACE_SECONDS = 50;

export interface SessionOptions {
  readonly store: 'duckdb' | 'clickhouse';
  /** The seed of the data. */
  readonly data: number;
  /** The number of projects in time zones with unusual days. */
  readonly places: number;
}

/** A request with a wrong outcome. */
export interface Failure {
  readonly seed: number;
  readonly drawn: Drawn;
  readonly written: Written;
  readonly outcome: Outcome;
  readonly problem: Problem;
}

const PROBE: Written = {
  method: 'GET',
  url: '/healthz',
  headers: {},
  parameters: {},
  repeated: { query: [], form: [] },
};

/** A project with its expected responses and its requests. */
interface Lane {
  readonly target: Target;
  readonly oracle: Oracle;
  readonly requests: Arbitrary<Drawn>;
}

/** Sends random requests to a server that runs in a separate process with its own data. */
export class Session {
  /** The number of requests by status, and by how their responses were compared with the reference. */
  readonly counts = new Map<string, number>();

  private constructor(
    private readonly folder: string,
    private readonly server: ServerProcess,
    private readonly wire: Wire,
    private readonly lanes: readonly Lane[],
  ) {}

  static async start({ store, data, places }: SessionOptions): Promise<Session> {
    const folder = await mkdtemp(join(tmpdir(), 'onwhere-requests-'));
    const targets = await createTargets(folder, data, places);
    const server = await startServer(store, folder);
    await importTargets(targets, server.address);
    const wire = new Wire(server.address);
    const document = await (await fetch(`${server.address}/openapi.json`)).json();
    const exported = ENDPOINTS.map(createOperation);
    const documented = listDocumentedOperations(document);
    const lanes = targets.map((target) => {
      const { name } = target.project;
      const operations = name === 'scratch' ? documented : name === 'crowd' ? exported.filter(isEngage) : exported;
      return { target, oracle: new Oracle(target), requests: createRequests(operations, target) };
    });
    return new Session(folder, server, wire, lanes);
  }

  /** The number of concurrent requests, each for another project: a request may change the response to the next. */
  get laneCount(): number {
    return this.lanes.length;
  }

  get isRunning(): boolean {
    return this.server.isRunning;
  }

  /** The errors in the last lines of the server's output. */
  get lastErrors(): string[] {
    // The first line is incomplete.
    const [, ...lines] = this.server.output.slice(-10_000).split('\n');
    return lines.filter((line) => line !== '' && !line.startsWith('{"level":30'));
  }

  /** Sends the requests of `count` seeds, and returns those that fail. */
  async check(seed: number, count: number): Promise<Failure[]> {
    const seeds = Array.from({ length: count }, (_, index) => seed + index);
    const checkLane = async (lane: Lane) => {
      const found: Failure[] = [];
      for (const ownSeed of seeds.filter((one) => this.getLane(one) === lane)) {
        const failure = await this.sendAndJudge(ownSeed, this.draw(ownSeed));
        if (failure !== undefined) found.push(failure);
      }
      return found;
    };
    const failures = (await Promise.all(this.lanes.map(checkLane))).flat();
    const health = await this.wire.send(PROBE);
    if (health.answer?.status === 200) return failures;
    const problem: Problem = {
      kind: 'connection',
      text: `The server is not healthy: ${health.closed ?? health.answer?.body}`,
    };
    return [{ seed, drawn: this.draw(seed), written: PROBE, outcome: health, problem }, ...failures];
  }

  /** Sends a request after its opener, and returns the first of them that fails. */
  async sendAndJudge(seed: number, drawn: Drawn): Promise<Failure | undefined> {
    const openerFailure = drawn.opener && (await this.sendAndJudge(seed, drawn.opener));
    if (openerFailure !== undefined) return openerFailure;
    const sent = { seed, drawn, ...(await this.send(seed, drawn)) };
    const problem = await this.judge(sent);
    return problem && { ...sent, problem };
  }

  /** Stops the server. Returns a message if it fails to stop, or if its output contains a secret. */
  async close(): Promise<string | undefined> {
    this.wire.close();
    const code = this.server.isRunning ? await this.server.stop() : undefined;
    await rm(this.folder, { recursive: true, force: true });
    if (code !== 0) return `The server exited with ${code}`;
    const { output } = this.server;
    const isShown = ({ target }: Lane) => [...target.keys.secrets.values()].some((secret) => output.includes(secret));
    const shown = this.lanes.find(isShown);
    return shown && `The server wrote a secret of ${shown.target.project.name}`;
  }

  private getLane(seed: number): Lane {
    return this.lanes[seed % this.lanes.length] as Lane;
  }

  private draw(seed: number): Drawn {
    const [drawn] = fc.sample(this.getLane(seed).requests, { seed, numRuns: 1 });
    return drawn as Drawn;
  }

  private async send(seed: number, drawn: Drawn) {
    const { target, oracle } = this.getLane(seed);
    const session = drawn.opener && (oracle.lastSessionId ?? 'none');
    const parameters = drawn.parameters.map(([name, value]) => [name, value === SESSION ? session : value] as const);
    const written = encode({ ...drawn, parameters }, target);
    const from = Math.floor(Date.now() / 1000);
    const abortsAfter = drawn.abortsAfter ?? (drawn.body?.isCut === true ? 100 : undefined);
    const outcome = await (drawn.bytes === undefined
      ? this.wire.send(written, abortsAfter)
      : this.wire.sendBytes(drawn.bytes));
    return { written, outcome, from, to: Math.floor(Date.now() / 1000) };
  }

  private async judge(
    sent: Omit<Failure, 'problem'> & { readonly from: number; readonly to: number },
  ): Promise<Problem | undefined> {
    const { seed, drawn, written, outcome, from, to } = sent;
    const { answer } = outcome;
    this.count(answer === undefined ? 'no response' : describeOutcome(answer));
    const problem = findProblem(drawn, written, outcome, (2 * LIMIT_SECONDS + GRACE_SECONDS) * 1000);
    const { operation } = drawn;
    const { parameters } = written;
    const { oracle, target } = this.getLane(seed);
    const access = target.keys.accesses.get(drawn.credentials);
    if (answer === undefined || parameters === undefined || access === undefined) return problem;
    if (!operation.isQueryRequest || drawn.bytes !== undefined) return problem;
    const compares = problem === undefined && isComparable(drawn, written);
    // The oracle must know all changes, even if the response is not compared.
    if (!compares && answer.status !== 200) return problem;
    const sessionId = isEngage(operation) ? findSessionId(answer.body) : undefined;
    const oracleQuery = { operation, access, written: { ...written, parameters }, sessionId };
    const expected: (Expected | undefined)[] = [];
    for (let now = from; now <= to; now++) {
      expected.push(await oracle.expect(oracleQuery, now));
      const last = expected.at(-1);
      if (!compares) return problem;
      if (last === undefined) return this.count('too expensive for the reference');
      const agrees = isExpected(answer, last);
      if (agrees === undefined) return this.count('refused by a limit');
      if (agrees) return this.count('error' in last ? 'errors compared' : 'results compared');
      // The oracle has applied the change already.
      if (operation.path.includes('/annotations')) break;
    }
    const [first] = expected;
    return {
      kind: 'answer',
      text: 'The response differs from the reference',
      ...(first && { expected: first }),
    };
  }

  private count(what: string): undefined {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

function isEngage({ path }: Operation): boolean {
  return path.endsWith('/engage');
}

/** Returns the session ID in a response. */
function findSessionId(body: string): string | undefined {
  return /"session_id":"([\da-f]{32})","status":"ok","total":\d+(?:,"warnings":\[.*\])?\}$/.exec(body)?.[1];
}

/** Returns the status, and for 503 the reason. */
function describeOutcome({ status, body }: NonNullable<Outcome['answer']>): string {
  return status === 503 ? `503 ${body.replace(/^.*?"error":"(.*?)".*$/s, '$1')}` : String(status);
}

/** Starts a server with a short time limit for queries. */
function startServer(store: SessionOptions['store'], folder: string): Promise<ServerProcess> {
  if (store === 'duckdb') return ServerProcess.start({ path: folder }, '--query-time-limit', String(LIMIT_SECONDS));
  if (!HAS_CLICKHOUSE) throw new Error('ClickHouse is not installed');
  const args = ['--import', 'tsx', CLICKHOUSE, folder, String(LIMIT_SECONDS)];
  return ServerProcess.listening(startChild(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
}
