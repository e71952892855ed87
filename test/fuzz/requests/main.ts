import { inspect, parseArgs } from 'node:util';
import { readNumbers } from '../read-numbers.ts';
import { runMain } from '../run-main.ts';
import type { Drawn } from './draw.ts';
import { type Failure, Session } from './session.ts';
import { shrinkRequest } from './shrink-request.ts';

// Sends random requests to a server: see `USAGE`. Seeds count up by one per request.

const USAGE = `npm run fuzz:server -- [options]

  --minutes <number>   stop after this time (default: never)
  --seed <number>      seed of the first request (default: the time)
  --requests <number>  stop after this number of requests (default: never)
  --failures <number>  stop after this number of different failures (default: 1)
  --data <number>      seed of the server's data (default: 1)
  --store <name>       duckdb or clickhouse (default: duckdb)

Requests are generated from the declared parameters of all endpoints. The server must

  - stay up, and respond in time without a 5xx status other than 503
  - return errors in the published shape
  - give each secret, key and signature only the access it has
  - otherwise return the same as the plain reference in test/service/analytics`;

const PROGRESS_SECONDS = 30;
const PLACES = 5;

/** The number of requests for each project between two health checks. */
const EACH_TIME = 8;

const SHOWN = 1_000;

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly requests: number;
  readonly failures: number;
  readonly data: number;
  readonly store: 'duckdb' | 'clickhouse';
}

/** Returns undefined for `--help`. */
function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      requests: { type: 'string', default: 'Infinity' },
      failures: { type: 'string', default: '1' },
      data: { type: 'string', default: '1' },
      store: { type: 'string', default: 'duckdb' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const { store, minutes, seed, requests, failures, data } = values;
  if (store !== 'duckdb' && store !== 'clickhouse') throw new Error('--store must be duckdb or clickhouse');
  return { ...readNumbers({ minutes, seed, requests, failures, data }), store };
}

async function report(session: Session, failure: Failure, { data, store }: Options): Promise<void> {
  const { seed, problem } = failure;
  const retry = async (drawn: Drawn) => {
    const other = session.isRunning ? await session.sendAndJudge(seed, drawn) : undefined;
    return other?.problem.kind === problem.kind ? other : undefined;
  };
  const isWrite = /\/annotations\/./.test(failure.drawn.operation.path);
  const isRepeated = !isWrite && (await retry(failure.drawn)) !== undefined;
  const smallest = isRepeated
    ? await shrinkRequest(failure.drawn, async (drawn) => (await retry(drawn)) !== undefined)
    : failure.drawn;
  const { written, outcome, problem: found } = (isRepeated && (await retry(smallest))) || failure;
  console.log(`\n${found.text}${isRepeated || isWrite ? '' : ', but not on a second attempt'}`);
  console.log(`request     ${cut(`${written.method} ${smallest.bytes ?? written.url}`)}`);
  if (written.body !== undefined) console.log(`body        ${cut(written.body.toString('latin1'))}`);
  console.log(`sent        ${inspect({ ...written.headers, credentials: smallest.credentials })}`);
  const { status, body = outcome.closed ?? '' } = outcome.answer ?? {};
  console.log(`response    ${status ?? 'none'} ${cut(body)}`);
  if (found.expected !== undefined) console.log(`expected    ${cut(JSON.stringify(found.expected))}`);
  const others = [...(data === 1 ? [] : [`--data ${data}`]), ...(store === 'duckdb' ? [] : [`--store ${store}`])];
  console.log(`reproduce   npm run fuzz:server -- ${[`--seed ${seed} --requests 1`, ...others].join(' ')}`);
  for (const line of session.lastErrors) console.log(`server      ${cut(line)}`);
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
}

/** Returns a key that is equal for similar failures: of one endpoint, or of hostile bodies. */
function getKind({ drawn, problem, outcome }: Failure): string {
  const { status = 'none' } = outcome.answer ?? {};
  return `${problem.kind}, ${status}, ${drawn.body === undefined ? drawn.operation.path : 'a hostile body'}`;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.log(USAGE);
    return 0;
  }
  const session = await Session.start({ ...options, places: PLACES });
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const failures = new Map<string, number>();
  let [requests, reportedAt] = [0, 0];
  const printProgress = () => {
    const counts = [...session.counts].sort().map(([what, count]) => `${what} ${count}`);
    const each = Math.round(requests / seconds());
    console.log(
      `${requests} requests, ${each} per second, next seed ${options.seed + requests}\n  ${counts.join(', ')}`,
    );
    for (const [kind, count] of failures) console.log(`  failed: ${kind} (${count})`);
  };
  try {
    while (requests < options.requests && seconds() < options.minutes * 60 && failures.size < options.failures) {
      const count = Math.min(session.laneCount * EACH_TIME, options.requests - requests);
      for (const failure of await session.check(options.seed + requests, count)) {
        const kind = getKind(failure);
        failures.set(kind, (failures.get(kind) ?? 0) + 1);
        if (failures.get(kind) === 1) await report(session, failure, options);
      }
      requests += count;
      if (!session.isRunning) break;
      if (seconds() - reportedAt < PROGRESS_SECONDS) continue;
      reportedAt = seconds();
      printProgress();
    }
    printProgress();
  } finally {
    const problem = await session.close();
    if (problem !== undefined) failures.set(problem, 1);
    if (problem !== undefined) console.log(problem);
  }
  return failures.size === 0 ? 0 : 1;
}

await runMain(main, USAGE);
