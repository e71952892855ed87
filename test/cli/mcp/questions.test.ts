import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileWhere, evaluate } from '../../../src/api/expressions.ts';
import type { Properties } from '../../../src/lang/value.ts';
import { type ConnectedClient, callTool, connectClient } from './mcp-client.ts';
import { ShopFiles } from './shop-files.ts';

/** A question in words with its filter, and a filter that a model wrote for it. */
interface Question {
  /** The kind of mistake. */
  readonly shape: string;
  readonly question: string;
  readonly filter: string;
  readonly attempt: string;
}

/** Reads a file of questions: blocks of lines, with a title before the first block of a shape. */
function readQuestions(file: string): readonly Question[] {
  let shape = '';
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split(/\n\n+/)
    .map((block) => {
      const lines = block.trimEnd().split('\n');
      if (lines[0]?.startsWith('# ')) shape = lines.shift() ?? '';
      const [question = '', filter = '', ...attempt] = lines;
      return { shape, question, filter, attempt: attempt.join('\n') };
    });
}

const QUESTIONS = readQuestions('questions.txt');

let shop: ShopFiles;
let connected: ConnectedClient;
/** The events as filters read them. */
let records: readonly { readonly properties: Properties; readonly user: Properties | undefined }[] = [];

beforeAll(async () => {
  shop = new ShopFiles(4_000);
  connected = await connectClient([shop.eventFile]);
  records = shop.events.map(({ event, properties }) => {
    const user = shop.people.get(properties.distinct_id) as Properties | undefined;
    return { properties: { ...properties, $event: event } as Properties, user };
  });
});
afterAll(() => shop.remove());

/** Returns the filter that a client has after one retry: its attempt if nothing is wrong with it, or its repair. */
async function retry({ attempt }: Question): Promise<string | undefined> {
  const { client } = connected;
  const checked = (await callTool(client, 'check_filter', { filter: attempt })).json;
  if (checked.ok && checked.diagnostics.length === 0) return checked.expression;
  const repaired = (await callTool(client, 'repair_filter', { filter: attempt })).json;
  return repaired.ok ? repaired.expression : undefined;
}

/** Returns whether a filter selects each event. */
function select(filter: string): readonly boolean[] {
  const matches = compileWhere(filter);
  return records.map(({ properties, user }) => matches(properties, user));
}

async function replay(questions: readonly Question[]): Promise<{ valid: number; right: number }> {
  let [valid, right] = [0, 0];
  for (const question of questions) {
    const filter = await retry(question);
    if (filter === undefined) continue;
    valid++;
    const [found, expected] = [select(filter), select(question.filter)];
    right += Number(found.every((selects, index) => selects === expected[index]));
  }
  return { valid, right };
}

describe('recorded questions', () => {
  it('are many, of many kinds, and different', () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(300);
    expect(new Set(QUESTIONS.map(({ shape }) => shape)).size).toBeGreaterThanOrEqual(60);
    expect(new Set(QUESTIONS.map(({ attempt }) => attempt)).size).toBeGreaterThanOrEqual(300);
    for (const { question, attempt } of QUESTIONS)
      expect([question.endsWith('?'), attempt]).toEqual([true, expect.stringMatching(/\S/)]);
  });

  it('have filters that select some events and not all, with few exceptions', () => {
    const sizes = QUESTIONS.map(({ filter }) => select(filter).filter(Boolean).length);
    expect(sizes.filter((size) => size === 0 || size === shop.events.length).length).toBeLessThan(5);
  });

  it('get a valid filter after one retry, 95 in 100 times, and the right events as often', async () => {
    const { valid, right } = await replay(QUESTIONS);
    expect(valid / QUESTIONS.length).toBeGreaterThanOrEqual(0.95);
    expect(right / QUESTIONS.length).toBeGreaterThanOrEqual(0.95);
  });

  it('get the right events in most cases, also with mistakes that no rule was written for', async () => {
    const unseen = readQuestions('unseen-questions.txt');
    const { right } = await replay(unseen);
    expect(right / unseen.length).toBeGreaterThanOrEqual(0.7);
  });

  it('are answered with the numbers of the reference', async () => {
    const answered = QUESTIONS.filter((_, index) => index % 25 === 0);
    for (const question of answered) {
      const where = await retry(question);
      const parameters = { event: 'purchase', where, unit: 'month' };
      const { json } = await callTool(connected.client, 'run_query', { query: 'segmentation', parameters });
      const expected = records.filter(({ properties }) => {
        return properties.$event === 'purchase' && evaluate(question.filter, properties) === true;
      });
      expect([question.question, json.answer.data.values.purchase]).toEqual([
        question.question,
        { '2025-06-01': expected.length },
      ]);
      expect(json.ran.parameters.where).toBe(where);
    }
  });
});
