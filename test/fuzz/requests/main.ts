import { inspect, parseArgs } from 'node:util';
import { readNumbers } from '../read-numbers.ts';
import { runMain } from '../run-main.ts';
import type { Drawn } from './draw.ts';
import { type Failure, Session } from './session.ts';
import { shrinkRequest } from './shrink-request.ts';

// Sends a server random requests without end, or for some minutes: see `USAGE`. The seed of a request is one more than that of the last.

const USAGE = `npm run fuzz:server -- [options]

  --minutes <number>   stop after this time (default: never)
  --seed <number>      seed of the first request (default: the time)
  --requests <number>  stop after this number of requests (default: never)
  --failures <number>  stop after this number of failures, those that are alike counted once (default: 1)
  --data <number>      seed of the records that the server holds (default: 1)
  --store <name>       duckdb or clickhouse (default: duckdb)

Requests are made from the declared parameters of all endpoints. The server must stay up, answer in time and with no 5xx status
but 503, refuse in the published shape, open to each secret, key and signature what it is for and no more, and otherwise
answer what the plain reference of test/service/analytics does.`;

const PROGRESS_SECONDS = 30;
const PLACES = 5;

/** How many requests about each project are sent before the server is asked whether it is healthy. */
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

/** Undefined where only the usage is wanted. */
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
  if (store !== 'duckdb' && store !== 'clickhouse') throw new Error('--store is duckdb or clickhouse');
  return { ...readNumbers({ minutes, seed, requests, failures, data }), store };
}

async function report(session: Session, failure: Failure, { data, store }: Options): Promise<void> {
  const { seed, problem } = failure;
  const again = async (drawn: Drawn) => {
    const other = session.isRunning ? await session.ask(seed, drawn) : undefined;
    return other?.problem.kind === problem.kind ? other : undefined;
  };
  const isWrite = /\/annotations\/./.test(failure.drawn.operation.path);
  const isRepeated = !isWrite && (await again(failure.drawn)) !== undefined;
  const smallest = isRepeated
    ? await shrinkRequest(failure.drawn, async (drawn) => (await again(drawn)) !== undefined)
    : failure.drawn;
  const { written, outcome, problem: found } = (isRepeated && (await again(smallest))) || failure;
  console.log(`\n${found.text}${isRepeated || isWrite ? '' : ', but not when it is sent again'}`);
  console.log(`request     ${cut(`${written.method} ${smallest.bytes ?? written.url}`)}`);
  if (written.body !== undefined) console.log(`body        ${cut(written.body.toString('latin1'))}`);
  console.log(`sent        ${inspect({ ...written.headers, credentials: smallest.credentials })}`);
  const { status, body = outcome.closed ?? '' } = outcome.answer ?? {};
  console.log(`answer      ${status ?? 'none'} ${cut(body)}`);
  if (found.expected !== undefined) console.log(`expected    ${cut(JSON.stringify(found.expected))}`);
  const others = [...(data === 1 ? [] : [`--data ${data}`]), ...(store === 'duckdb' ? [] : [`--store ${store}`])];
  console.log(`reproduce   npm run fuzz:server -- ${[`--seed ${seed} --requests 1`, ...others].join(' ')}`);
  for (const line of session.lastErrors) console.log(`server      ${cut(line)}`);
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
}

/** Failures that are alike: of one endpoint, or of bodies that hold no parameters. */
function kindOf({ drawn, problem, outcome }: Failure): string {
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
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const failures = new Map<string, number>();
  let [requests, said] = [0, 0];
  const say = () => {
    const counts = [...session.counts].sort().map(([what, count]) => `${what} ${count}`);
    const each = Math.round(requests / seconds());
    console.log(
      `${requests} requests, ${each} per second, next seed ${options.seed + requests}\n  ${counts.join(', ')}`,
    );
    for (const [kind, count] of failures) console.log(`  failed: ${kind} (${count})`);
  };
  try {
    while (requests < options.requests && seconds() < options.minutes * 60 && failures.size < options.failures) {
      const count = Math.min(session.together * EACH_TIME, options.requests - requests);
      for (const failure of await session.check(options.seed + requests, count)) {
        const kind = kindOf(failure);
        failures.set(kind, (failures.get(kind) ?? 0) + 1);
        if (failures.get(kind) === 1) await report(session, failure, options);
      }
      requests += count;
      if (!session.isRunning) break;
      if (seconds() - said < PROGRESS_SECONDS) continue;
      said = seconds();
      say();
    }
    say();
  } finally {
    const problem = await session.close();
    if (problem !== undefined) failures.set(problem, 1);
    if (problem !== undefined) console.log(problem);
  }
  return failures.size === 0 ? 0 : 1;
}

await runMain(main, USAGE);
