import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, format } from '../../../src/api/expressions.ts';
import { boundAnswer } from '../../../src/cli/mcp/bound-answer.ts';
import { DataSource } from '../../../src/cli/mcp/data-source.ts';
import { guessFilter } from '../../../src/cli/mcp/guess/guess-filter.ts';
import { LANGUAGE_CARD } from '../../../src/cli/mcp/language-card.ts';
import { QUERIES } from '../../../src/cli/mcp/queries.ts';
import { TOOLS } from '../../../src/cli/mcp/tools.ts';
import { OPERATORS } from '../../../src/lang/operators/table.ts';
import { ENDPOINTS } from '../../../src/queries/endpoints/endpoints.ts';
import { expressionText } from '../../../src/queries/endpoints/kinds.ts';
import { texts } from '../../garbage.ts';
import { runs } from '../../runs.ts';
import { testIo } from '../test-io.ts';
import { type ConnectedClient, callTool, connectClient, type ToolAnswer } from './mcp-client.ts';
import { ShopFiles } from './shop-files.ts';

const FILTER = 'properties["plan"]=="pro"';
const CANONICAL = 'properties["plan"] == "pro"';

let shop: ShopFiles;
let connected: ConnectedClient;

beforeAll(async () => {
  shop = new ShopFiles(300);
  connected = await connectClient([shop.eventFile, shop.peopleFile]);
});
afterAll(() => {
  shop.remove();
  expect(connected.failures).toEqual([]);
});

const call = (name: string, given?: object): Promise<ToolAnswer> => callTool(connected.client, name, given);

/** Calls a tool that has to refuse before anything runs on the data, and returns its message. */
async function refuse(name: string, given: object): Promise<string> {
  const before = connected.tasks.filter(({ kind }) => kind !== 'describe').length;
  const { isError, json } = await call(name, given);
  expect([given, isError]).toEqual([given, true]);
  expect(connected.tasks.filter(({ kind }) => kind !== 'describe').length).toBe(before);
  return json.error;
}

describe('tools and resources', () => {
  it('are listed, and only read', async () => {
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'describe_data',
      'check_filter',
      'repair_filter',
      'explain_filter',
      'run_query',
      'relate_filters',
      'sample_events',
    ]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(inputSchema.additionalProperties).toBe(false);
    }
    const { resources } = await connected.client.listResources();
    for (const { uri } of resources) {
      const { contents } = await connected.client.readResource({ uri });
      expect(JSON.stringify(contents).length).toBeGreaterThan(100);
    }
    await expect(connected.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('no such resource');
  });

  it('tell the language with valid examples', () => {
    const examples = [...LANGUAGE_CARD.matchAll(/`([^`]*\["[^`]*)`/g)].map(([, example = '']) => example);
    const whole = examples.filter((example) => /^(?:not |number\()?(?:properties|user|")/.test(example));
    expect(whole.length).toBeGreaterThan(10);
    for (const example of whole) expect([example, check(example).ok]).toEqual([example, true]);
  });

  it('list every operator and every question', async () => {
    const read = async (uri: string) => {
      const { contents } = await connected.client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    };
    const operators = await read('onwhere://operators');
    for (const { name } of OPERATORS) expect(operators).toContain(`## \`${name}\``);
    const listed = JSON.parse(await read('onwhere://queries')).map(({ query }: { query: string }) => `/${query}`);
    const asked = ENDPOINTS.filter(({ group }) => !['annotations', 'overview', 'export'].includes(group));
    expect(listed).toEqual(asked.map(({ path }) => path));
    const { schema } = JSON.parse(await read('onwhere://schema'));
    expect(schema.properties.plan).toEqual({ types: ['string', 'null'], values: ['free', 'pro', 'team'] });
  });
});

describe('answers', () => {
  it('describe the data', async () => {
    const { json } = await call('describe_data');
    expect(json.data.events.map(({ event }: { event: string }) => event)).toContain('purchase');
    expect(json.data.properties.map(({ name }: { name: string }) => name)).toContain('plan');
    const { json: known } = await call('check_filter', { filter: 'properties["$event"] == "purchase"' });
    expect(known.diagnostics).toEqual([]);
    const { json: absent } = await call('check_filter', { filter: 'properties["$event"] == "buy"' });
    expect(absent.diagnostics[0].code).toBe('unknown-value');
  });

  it('name the expression that ran', async () => {
    const parameters = { event: 'purchase', where: FILTER, on: 'properties["country"]' };
    const { json } = await call('run_query', { query: 'segmentation', parameters });
    expect(json.ran.parameters).toEqual({
      ...parameters,
      where: CANONICAL,
      from_date: '2025-06-01',
      to_date: '2025-06-30',
    });
    const steps = [{ event: 'view product' }, { event: 'purchase', where: FILTER }];
    const funnel = (await call('run_query', { query: 'funnels', parameters: { steps } })).json;
    expect(JSON.parse(funnel.ran.parameters.steps)).toEqual([steps[0], { event: 'purchase', where: CANONICAL }]);
    expect((await call('sample_events', { where: FILTER })).json.ran.where).toBe(CANONICAL);
    expect((await call('explain_filter', { filter: FILTER })).json.expression).toBe(CANONICAL);
    expect((await call('check_filter', { filter: FILTER })).json.expression).toBe(CANONICAL);
    const related = (await call('relate_filters', { left: FILTER, right: `${FILTER} or ${FILTER}` })).json;
    expect(related).toMatchObject({ left: CANONICAL, right: `${CANONICAL} or ${CANONICAL}`, relation: 'equal' });
  });

  it('explain a record', async () => {
    const { json } = await call('explain_filter', { filter: FILTER, properties: { plan: 'free' } });
    expect(json.tree.value).toBe(false);
    expect(json.why).toHaveLength(1);
  });

  it('say where they are cut', async () => {
    const parameters = { event: ['purchase', 'refund'], type: 'general', unit: 'day' };
    const { json } = await call('run_query', { query: 'events', parameters, max_rows: 3 });
    expect(json.answer.data.series).toHaveLength(3);
    expect(json.truncated).toContainEqual({ path: 'data.series', shown: 3, of: 30 });
    const sample = (await call('sample_events', { limit: 2 })).json;
    expect(sample.events).toHaveLength(2);
    expect(sample.has_more).toBe(true);
  });

  it('warn of names that the data does not have', async () => {
    const parameters = { event: 'purchase', where: 'properties["paln"] == "pro"' };
    const { json } = await call('run_query', { query: 'segmentation', parameters });
    expect(json.warnings.join()).toContain('paln');
  });

  it('are there for every query', async () => {
    for (const { name, endpoint, parameters } of QUERIES) {
      if (name === 'funnels/list') continue;
      const example = { ...endpoint.example };
      if (name === 'funnels') Object.assign(example, { funnel_id: undefined, steps: '[{"event":"view product"}]' });
      const given = Object.fromEntries(
        Object.entries(example).filter(([key, value]) => value !== undefined && Object.hasOwn(parameters, key)),
      );
      const { isError, json } = await call('run_query', { query: name, parameters: given });
      expect([name, isError, json.error]).toEqual([name, false, undefined]);
      expect(json.ran.parameters).toMatchObject(
        given.where === undefined ? {} : { where: format(String(given.where)) },
      );
    }
  });
});

describe('wrong filters', () => {
  it('are refused with diagnostics, and nothing runs', async () => {
    const expressions = QUERIES.flatMap(({ name, parameters }) => {
      const names = Object.keys(parameters).filter((key) => parameters[key]?.kind === expressionText);
      return names.map((parameter) => ({ query: name, parameter }));
    });
    expect(expressions.length).toBeGreaterThan(15);
    for (const { query, parameter } of expressions) {
      for (const wrong of ["plan = 'pro'", 'properties["plan"] ==', 'now and "a"', '']) {
        await refuse('run_query', { query, parameters: { [parameter]: wrong } });
      }
    }
    const where = "plan = 'pro'";
    const parameters = { steps: [{ event: 'view product', where }] };
    expect(await refuse('run_query', { query: 'funnels', parameters })).toContain('steps[0].where');
    expect(await refuse('sample_events', { where })).toContain('nothing was run');
    expect(await refuse('relate_filters', { left: FILTER, right: where })).toContain('"right"');
    const { json } = await call('sample_events', { where });
    expect(json.diagnostics[1]).toMatchObject({ code: 'single-equals', fix: { text: '==' } });
  });

  it.each([undefined, null, '', ' \n', 7, true, [], {}])('such as %j are refused', async (filter) => {
    for (const name of ['check_filter', 'repair_filter', 'explain_filter']) await refuse(name, { filter });
    if (filter === undefined) return;
    await refuse('sample_events', { where: filter });
    await refuse('relate_filters', { left: FILTER, right: filter });
    await refuse('run_query', { query: 'segmentation', parameters: { event: 'purchase', where: filter } });
    if (filter === null || typeof filter === 'object') return;
    await refuse('run_query', { query: 'funnels', parameters: { steps: [{ event: 'purchase', where: filter }] } });
  });

  it.each(['filter', 'Where', 'wheres', 'constructor', 'toString', '__proto__'])(
    'in the unknown argument %s are refused',
    async (name) => {
      // The SDK drops this one.
      if (name !== '__proto__') await refuse('sample_events', { [name]: 'x' });
      for (const query of ['segmentation', 'retention', 'engage']) {
        const parameters = JSON.parse(`{"event": "purchase", "born_event": "sign up", ${JSON.stringify(name)}: "x"}`);
        await refuse('run_query', { query, parameters });
      }
      const steps = [JSON.parse(`{"event": "purchase", ${JSON.stringify(name)}: "x"}`)];
      await refuse('run_query', { query: 'funnels', parameters: { steps } });
    },
  );

  it('are refused where the query would not apply them', async () => {
    const parameters = { retention_type: 'compounded', born_where: FILTER };
    expect(await refuse('run_query', { query: 'retention', parameters })).toContain('born_where');
    await refuse('run_query', { query: 'retention', parameters: { born_where: FILTER } });
  });

  it('are refused with other hostile arguments', async () => {
    for (const query of ['export', 'annotations/create', 'overview', '../export', '__proto__', 'x'.repeat(10_000)])
      expect((await refuse('run_query', { query })).length).toBeLessThan(1_000);
    await refuse('run_query', { query: 'segmentation', parameters: 'event=purchase' });
    await refuse('run_query', { query: 'segmentation', max_rows: 1e9 });
    await refuse('sample_events', { limit: 101 });
    await refuse('sample_events', { limit: -1 });
    await refuse('sample_events', { file: '/etc/passwd' });
    await refuse('sample_events', { from_date: '2025-02-31' });
    await refuse('explain_filter', { filter: FILTER, properties: [1] });
    await refuse('describe_data', { path: '/etc/passwd' });
    await expect(connected.client.callTool({ name: 'rm', arguments: {} })).rejects.toThrow('no such tool');
  });
});

describe('hostile filters', () => {
  const HOSTILE = {
    'a long filter': `properties["a"] == "${'x'.repeat(1_000_000)}"`,
    'many conditions': Array.from({ length: 3_000 }, (_, index) => `properties["p${index}"] == ${index}`).join(' or '),
    'deep parentheses': `${'('.repeat(10_000)}true${')'.repeat(10_000)}`,
    'many negations': 'not '.repeat(10_000),
    'open brackets': '['.repeat(4_000),
    'open quotes': '"'.repeat(3_999),
    'many dots': 'a.'.repeat(1_999),
    'many commas': ', '.repeat(1_999),
    'a huge number': `properties["a"] > ${'9'.repeat(400)}`,
    'control characters': 'properties["\u0000\u001b[2J"] == "\u202e\u0001"',
    'half a surrogate pair': 'properties["\ud800"] == "\udfff"',
    'names of prototypes': 'properties["__proto__"] == properties["constructor"] and user["toString"] != 1',
    'a pattern': `properties["a"] =~ /${'(a+)+'.repeat(100)}$/`,
  };
  it.each(Object.entries(HOSTILE))('such as %s get an answer of bounded length', async (_, filter) => {
    for (const name of ['check_filter', 'repair_filter', 'explain_filter']) {
      const { length } = await call(name, { filter });
      expect(length).toBeLessThan(3_000_000);
    }
    await call('relate_filters', { left: filter, right: FILTER });
    await call('sample_events', { where: filter, limit: 1 });
  });

  it('of any text are checked and repaired, and what is repaired is valid', async () => {
    const schema = { properties: { plan: { types: ['string'], values: ['pro'] }, n: { types: ['number'] } } } as const;
    const words = fc.constantFrom(
      'plan',
      'n',
      '==',
      '=',
      '&&',
      'and',
      "'pro'",
      '"',
      '(',
      ')',
      '[',
      ',',
      '7',
      'in',
      'is',
      ':',
      '.',
    );
    const phrases = fc.array(words, { maxLength: 12 }).map((list) => list.join(' '));
    await fc.assert(
      fc.property(fc.oneof(texts, phrases), (source) => {
        const guess = guessFilter(source, { use: 'where', schema });
        if (guess !== undefined) expect(check(guess.source, { use: 'where' }).ok).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('are answered thousands of times', async () => {
    const filters = Array.from({ length: 1_000 }, (_, index) => `properties["plan"] = "pro" and ${index}`);
    const answers = await Promise.all(filters.map((filter) => call('check_filter', { filter })));
    expect(answers.filter(({ json }) => json.ok)).toEqual([]);
  });
});

describe('a data source', () => {
  it('refuses calls if many are waiting, and answers again later', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const data = new DataSource(testIo(), { files: [], options: {} }, async () => {
      await gate;
      return { result: undefined as never, notes: [] };
    });
    const task = { kind: 'describe' } as const;
    const calls = Array.from({ length: 40 }, () =>
      data.run(task).then(
        () => 'answered',
        (error) => error.message,
      ),
    );
    release();
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(32);
    expect(outcomes[39]).toContain('busy');
    expect(await data.run(task)).toBeDefined();
  });

  it('reads files again after they change, and says if they cannot be read', async () => {
    const files = new ShopFiles(100);
    const { client } = await connectClient([files.eventFile]);
    const countRecords = async () => (await callTool(client, 'describe_data')).json.data?.records;
    expect(await countRecords()).toBe(100);
    writeFileSync(files.eventFile, '{"event":"a","properties":{"distinct_id":"u","time":1748739781}}\n');
    expect(await countRecords()).toBe(1);
    files.remove();
    const { isError, json } = await callTool(client, 'describe_data');
    expect([isError, json.error]).toEqual([true, expect.stringContaining('events.ndjson')]);
  });
});

describe('bounded answers', () => {
  it('are short, whatever they are cut from', () => {
    const row = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'x'.repeat(5_000)]));
    const { answer, truncated } = boundAnswer({ rows: Array.from({ length: 500 }, () => row) }, 1_000);
    expect(JSON.stringify(answer).length).toBeLessThan(201_000);
    expect(truncated.length).toBeGreaterThan(0);
    expect(truncated.length).toBeLessThanOrEqual(50);
  });

  it('keep short answers whole, with members of any name', () => {
    const answer = JSON.parse('{"__proto__": {"a": 1}, "constructor": [1, 2], "n": null}');
    expect(boundAnswer(answer, 100)).toEqual({ answer, truncated: [] });
    expect(JSON.stringify(boundAnswer(answer, 100).answer)).toBe(JSON.stringify(answer));
  });
});

it('every tool has a description that a model can choose by', () => {
  for (const { description, title } of TOOLS) {
    expect(description.length).toBeGreaterThan(40);
    expect(title.length).toBeGreaterThan(8);
  }
});
