import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc, { type Arbitrary } from 'fast-check';
import { ENDPOINTS } from '../../../src/server/endpoints/endpoints.ts';
import { HAS_CLICKHOUSE } from '../../clickhouse/open-clickhouse.ts';
import { ServerProcess } from '../../service/server-process.ts';
import { startChild } from '../../spawned.ts';
import { type Drawn, drawnRequests } from './draw.ts';
import { type Outcome, Wire, type Written, write } from './exchange.ts';
import { isComparable, isExpected, type Problem, problemOf } from './judge.ts';
import { documentedOperations, operationOf } from './operation.ts';
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

interface Asked {
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
    private readonly asked: readonly Asked[],
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
    const asked = targets.map((target) => {
      const operations = target.project.name === 'scratch' ? documented : exported;
      return { target, oracle: new Oracle(target), requests: drawnRequests(operations, target) };
    });
    return new Session(folder, server, wire, asked);
  }

  /** How many requests are sent at once: each is about another project. */
  get together(): number {
    return this.asked.length;
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

  /** Sends the requests of some seeds at once, and answers those that fail. */
  async check(seed: number, count: number): Promise<Failure[]> {
    const seeds = Array.from({ length: count }, (_, index) => seed + index);
    const sent = seeds.map(async (own) => {
      const drawn = this.draw(own);
      return { seed: own, drawn, ...(await this.send(own, drawn)) };
    });
    const failures: Failure[] = [];
    for (const one of await Promise.all(sent)) {
      const problem = await this.judge(one);
      if (problem !== undefined) failures.push({ ...one, problem });
    }
    const health = await this.wire.send({ method: 'GET', url: '/healthz', headers: {}, parameters: {}, repeated: [] });
    if (health.answer?.status === 200) return failures;
    const [first] = await Promise.all(sent);
    const problem: Problem = {
      kind: 'connection',
      text: `The server is not healthy: ${health.closed ?? health.answer?.body}`,
    };
    return first === undefined ? failures : [{ ...first, outcome: health, problem }, ...failures];
  }

  /** What is wrong with the answer to a request, sent by itself. */
  async tryAgain(seed: number, drawn: Drawn): Promise<Failure | undefined> {
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
    const shown = this.asked.find(({ target }) => output.includes(target.project.secret));
    return shown && `The server wrote the secret of ${shown.target.project.name}`;
  }

  private askedOf(seed: number): Asked {
    return this.asked[seed % this.asked.length] as Asked;
  }

  private draw(seed: number): Drawn {
    const [drawn] = fc.sample(this.askedOf(seed).requests, { seed, numRuns: 1 });
    return drawn as Drawn;
  }

  private async send(seed: number, drawn: Drawn) {
    const written = write(drawn, this.askedOf(seed).target);
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
    this.count(answer === undefined ? 'gone' : String(answer.status));
    const problem = problemOf(drawn, written, outcome, (2 * LIMIT_SECONDS + GRACE_SECONDS) * 1000);
    const { parameters } = written;
    const isDone = answer?.status === 200;
    if (answer === undefined || parameters === undefined || !drawn.operation.isExport || drawn.bytes !== undefined)
      return problem;
    const compares = problem === undefined && isComparable(drawn, written);
    // What was changed is to be known, even where the answer is not compared.
    if (!compares && !isDone) return problem;
    const { oracle } = this.askedOf(seed);
    const expected: (Expected | undefined)[] = [];
    for (let now = from; now <= to; now++) {
      expected.push(await oracle.expect(drawn.operation.path, parameters, now));
      const last = expected.at(-1);
      if (!compares) return problem;
      if (last === undefined) return this.count('not worked out');
      const agrees = isExpected(answer, last);
      if (agrees === undefined) return this.count('refused for its size');
      if (agrees) return this.count('compared');
      // What it changed is changed.
      if (drawn.operation.path.includes('/annotations')) break;
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

/** Starts a server that gives queries little time. */
function startServer(store: SessionOptions['store'], folder: string): Promise<ServerProcess> {
  if (store === 'duckdb') return ServerProcess.start({ path: folder }, '--query-time-limit', String(LIMIT_SECONDS));
  if (!HAS_CLICKHOUSE) throw new Error('ClickHouse is not installed');
  const args = ['--import', 'tsx', CLICKHOUSE, folder, String(LIMIT_SECONDS)];
  return ServerProcess.listening(startChild(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
}
