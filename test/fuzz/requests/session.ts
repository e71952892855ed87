import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc, { type Arbitrary } from 'fast-check';
import { ENDPOINTS } from '../../../src/service/server/endpoints/endpoints.ts';
import { HAS_CLICKHOUSE } from '../../clickhouse/open-clickhouse.ts';
import { ServerProcess } from '../../end-to-end/server-process.ts';
import { startChild } from '../../spawned.ts';
import { type Drawn, drawnRequests, SESSION } from './draw.ts';
import { type Outcome, Wire, type Written, write } from './exchange.ts';
import { isComparable, isExpected, type Problem, problemOf } from './judge.ts';
import { documentedOperations, type Operation, operationOf } from './operation.ts';
import { type Expected, Oracle } from './oracle.ts';
import { createTargets, importTargets, type Target } from './target.ts';

const CLICKHOUSE = fileURLToPath(new URL('./clickhouse-server-process.ts', import.meta.url));

/** How long a query may run and, before that, may wait. */
const LIMIT_SECONDS = 5;

/** What a busy machine may add. What never ends takes longer. */
const GRACE_SECONDS = 50;

export interface SessionOptions {
  readonly store: 'duckdb' | 'clickhouse';
  /** The seed of the data. */
  readonly data: number;
  /** How many projects there are of places where clocks are strange. */
  readonly places: number;
}

/** A request that was answered wrongly. */
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

/** A project, and the requests about it. */
interface Lane {
  readonly target: Target;
  readonly oracle: Oracle;
  readonly requests: Arbitrary<Drawn>;
}

/** A server in a process of its own, with data of its own, that random requests are sent to. */
export class Session {
  /** What came of the requests, by status; those whose answers were compared with the reference; those that it did not work out. */
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
    const exported = ENDPOINTS.map(operationOf);
    const documented = documentedOperations(document);
    const lanes = targets.map((target) => {
      const { name } = target.project;
      const operations = name === 'scratch' ? documented : name === 'crowd' ? exported.filter(isEngage) : exported;
      return { target, oracle: new Oracle(target), requests: drawnRequests(operations, target) };
    });
    return new Session(folder, server, wire, lanes);
  }

  /** How many requests are sent at once: each is about another project, as one may change what the next is answered. */
  get together(): number {
    return this.lanes.length;
  }

  get isRunning(): boolean {
    return this.server.isRunning;
  }

  /** The errors among the last lines that the server wrote. */
  get lastErrors(): string[] {
    // The first is cut.
    const [, ...lines] = this.server.output.slice(-10_000).split('\n');
    return lines.filter((line) => line !== '' && !line.startsWith('{"level":30'));
  }

  /** Sends the requests of some seeds, and returns those that fail. */
  async check(seed: number, count: number): Promise<Failure[]> {
    const seeds = Array.from({ length: count }, (_, index) => seed + index);
    const ask = async (lane: Lane) => {
      const found: Failure[] = [];
      for (const own of seeds.filter((one) => this.laneOf(one) === lane)) {
        const failure = await this.ask(own, this.draw(own));
        if (failure !== undefined) found.push(failure);
      }
      return found;
    };
    const failures = (await Promise.all(this.lanes.map(ask))).flat();
    const health = await this.wire.send(PROBE);
    if (health.answer?.status === 200) return failures;
    const problem: Problem = {
      kind: 'connection',
      text: `The server is not healthy: ${health.closed ?? health.answer?.body}`,
    };
    return [{ seed, drawn: this.draw(seed), written: PROBE, outcome: health, problem }, ...failures];
  }

  /** What is wrong with the answer to a request, or to the one before it. */
  async ask(seed: number, drawn: Drawn): Promise<Failure | undefined> {
    const before = drawn.opener && (await this.ask(seed, drawn.opener));
    if (before !== undefined) return before;
    const sent = { seed, drawn, ...(await this.send(seed, drawn)) };
    const problem = await this.judge(sent);
    return problem && { ...sent, problem };
  }

  /** Ends the server, and says what is wrong with how it ends. */
  async close(): Promise<string | undefined> {
    this.wire.close();
    const code = this.server.isRunning ? await this.server.stop() : undefined;
    await rm(this.folder, { recursive: true, force: true });
    if (code !== 0) return `The server ended with ${code}`;
    const { output } = this.server;
    const isShown = ({ target }: Lane) => [...target.keys.secrets.values()].some((secret) => output.includes(secret));
    const shown = this.lanes.find(isShown);
    return shown && `The server wrote a secret of ${shown.target.project.name}`;
  }

  private laneOf(seed: number): Lane {
    return this.lanes[seed % this.lanes.length] as Lane;
  }

  private draw(seed: number): Drawn {
    const [drawn] = fc.sample(this.laneOf(seed).requests, { seed, numRuns: 1 });
    return drawn as Drawn;
  }

  private async send(seed: number, drawn: Drawn) {
    const { target, oracle } = this.laneOf(seed);
    const session = drawn.opener && (oracle.lastSessionId ?? 'none');
    const parameters = drawn.parameters.map(([name, value]) => [name, value === SESSION ? session : value] as const);
    const written = write({ ...drawn, parameters }, target);
    const from = Math.floor(Date.now() / 1000);
    const goesAfter = drawn.hangsUpAfter ?? (drawn.body?.isCut === true ? 100 : undefined);
    const outcome = await (drawn.bytes === undefined
      ? this.wire.send(written, goesAfter)
      : this.wire.sendBytes(drawn.bytes));
    return { written, outcome, from, to: Math.floor(Date.now() / 1000) };
  }

  private async judge(
    sent: Omit<Failure, 'problem'> & { readonly from: number; readonly to: number },
  ): Promise<Problem | undefined> {
    const { seed, drawn, written, outcome, from, to } = sent;
    const { answer } = outcome;
    this.count(answer === undefined ? 'gone' : outcomeOf(answer));
    const problem = problemOf(drawn, written, outcome, (2 * LIMIT_SECONDS + GRACE_SECONDS) * 1000);
    const { operation } = drawn;
    const { parameters } = written;
    const { oracle, target } = this.laneOf(seed);
    const access = target.keys.accesses.get(drawn.credentials);
    if (answer === undefined || parameters === undefined || access === undefined) return problem;
    if (!operation.isExport || drawn.bytes !== undefined) return problem;
    const compares = problem === undefined && isComparable(drawn, written);
    // What was changed is to be known, even where the answer is not compared.
    if (!compares && answer.status !== 200) return problem;
    const sessionId = isEngage(operation) ? sessionIn(answer.body) : undefined;
    const asked = { operation, access, written: { ...written, parameters }, sessionId };
    const expected: (Expected | undefined)[] = [];
    for (let now = from; now <= to; now++) {
      expected.push(await oracle.expect(asked, now));
      const last = expected.at(-1);
      if (!compares) return problem;
      if (last === undefined) return this.count('not worked out');
      const agrees = isExpected(answer, last);
      if (agrees === undefined) return this.count('refused for its size');
      if (agrees) return this.count('error' in last ? 'refusals compared' : 'answers compared');
      // What it changed is changed.
      if (operation.path.includes('/annotations')) break;
    }
    const [first] = expected;
    return {
      kind: 'answer',
      text: 'The answer is another than that of the reference',
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

/** The name of the session in an answer. */
function sessionIn(body: string): string | undefined {
  return /"session_id":"([\da-f]{32})","status":"ok","total":\d+\}$/.exec(body)?.[1];
}

/** The status, and the reason of a refusal that may be of the server's making. */
function outcomeOf({ status, body }: NonNullable<Outcome['answer']>): string {
  return status === 503 ? `503 ${body.replace(/^.*?"error":"(.*?)".*$/s, '$1')}` : String(status);
}

/** Starts a server that gives queries little time. */
function startServer(store: SessionOptions['store'], folder: string): Promise<ServerProcess> {
  if (store === 'duckdb') return ServerProcess.start({ path: folder }, '--query-time-limit', String(LIMIT_SECONDS));
  if (!HAS_CLICKHOUSE) throw new Error('ClickHouse is not installed');
  const args = ['--import', 'tsx', CLICKHOUSE, folder, String(LIMIT_SECONDS)];
  return ServerProcess.listening(startChild(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
}
