import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/queries/endpoints/endpoints.ts';
import { Client } from './client.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

/** Extreme values of parameters, by the type or format of their schemas. */
const EXTREMES: Readonly<Record<string, readonly string[]>> = {
  integer: ['0', '-1', '10001', '100001', '2147483647', '2147483648', '9007199254740991', '9'.repeat(400)],
  date: ['0000-01-01', '0001-01-01', '0001-01-02', '9999-12-31', '10000-01-01', '-000001-01-01', '+275760-09-13'],
};

const UNITS = ['minute', 'hour', 'day', 'week', 'month'];

let folder: TestFolder;
let server: ServerProcess;
let client: Client;

beforeAll(async () => {
  folder = TestFolder.make();
  const steps = ['--step', 'order', '--step', 'order', '--length', '1', '--length-unit', 'day'];
  onwhere('funnel', 'create', 'Buying', ...steps, '--project', 'shop', '--data', folder.path);
  server = await ServerProcess.start(folder, '--query-time-limit', '20');
  client = new Client(folder, server);
  const { version_id: version } = await client.create();
  const events = [1, 2, 3].map((user) =>
    client.event({ distinct_id: `u${user}`, time: 1_749_000_000 + user, amount: user }),
  );
  await client.import('events', version, events);
  await client.setState(version, { readable: true, writable: true });
  await client.untilReady(version);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  expect(server.output).not.toContain('internal error');
  folder.remove();
});

interface Request {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly extreme: string;
}

/** Requests to every endpoint with each number and date at each extreme, in each unit that the endpoint accepts. */
const REQUESTS = ENDPOINTS.flatMap(({ path, parameters, example }): Request[] =>
  Object.entries(parameters).flatMap(([name, { kind }]) => {
    const { type, format } = kind.schema as { readonly type?: string; readonly format?: string };
    const values = EXTREMES[format ?? type ?? ''] ?? [];
    const { unit } = parameters;
    const units = unit === undefined ? [undefined] : UNITS.filter((one) => unit.kind.read(one) !== undefined);
    return values.flatMap((value) =>
      units.map((one) => {
        const { from_date: from, to_date: to, ...rest } = example;
        // With an interval, leave out optional dates.
        const dates = name === 'interval' && parameters.from_date?.isRequired === false ? {} : { from, to };
        const given = { ...rest, from_date: dates.from, to_date: dates.to, unit: one, [name]: value };
        const present = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
        return { path, parameters: Object.fromEntries(present), extreme: name };
      }),
    );
  }),
);

it('extreme numbers and dates return a result or an error that names the parameter', async () => {
  const wrong: string[] = [];
  for (const { path, parameters, extreme } of REQUESTS) {
    const response = await client.request('GET', `/api/2.0${path}`, parameters);
    const text = await response.text();
    const exchange = `${path} ${JSON.stringify(parameters)}: ${response.status} ${text.slice(0, 200)}`;
    if (response.status === 200) {
      // Labels must be dates with four-digit years.
      if (/"[-+]\d{6}-|"0000-|Infinity|NaN/.test(text)) wrong.push(exchange);
      continue;
    }
    const { error } = JSON.parse(text);
    const names = [extreme, 'to_date', 'unit'].map((name) => `Invalid parameter: ${name}. `);
    const isRefused = [...names, 'Invalid date range. ', 'Missing required parameter: session_id'].some((words) =>
      error.startsWith(words),
    );
    if (response.status !== 400 || !isRefused) wrong.push(exchange);
  }
  expect(REQUESTS.length).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
}, 120_000);
