import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/queries/endpoints/endpoints.ts';
import {
  COMPARE,
  describeChoice,
  listFields,
  listQuestions,
  type PageQuery,
  QUERIES,
  type QuestionName,
  splitLine,
  TABS,
  type Tab,
} from '../../../src/web/questions/queries.ts';

/** Parameters without a field: data sets, pages and other formats of the response. */
const WITHOUT_FIELDS = ['verbose', 'dataset_id', 'dataset_version', 'format', 'page', 'session_id'];

/** Parts of a sentence that are no field: the choice among the questions of a tab, and both dates. */
const COMBINED = ['measure', 'dates'];

describe.each(Object.entries<PageQuery>(QUERIES))('the question %s', (key, { path, line }) => {
  const query = key as QuestionName;
  const { parameters = {} } = ENDPOINTS.find((endpoint) => endpoint.path === `/${path}`) ?? {};
  const fields = listFields(query).filter((field) => field !== COMPARE);

  it('has a field for each parameter of its endpoint', () => {
    expect(Object.keys(parameters).length).toBeGreaterThan(0);
    const names = Object.keys(parameters).filter((name) => !WITHOUT_FIELDS.includes(name));
    expect(fields.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('names only its fields in its sentence, each once', () => {
    const named = splitLine(line).flatMap(({ field }) => (field === undefined ? [] : [field]));
    expect(new Set(named).size).toBe(named.length);
    const known = [...listFields(query).map(({ name }) => name), ...COMBINED];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has words for every field', () => {
    for (const field of fields) {
      expect(field.description).not.toBe('');
      // The name of a parameter has underscores or no capital.
      expect(field.label).toMatch(/^[A-Z][a-z -]+$/);
      for (const choice of field.choices) expect(describeChoice(field, choice)).toMatch(/^[a-z -]+$/);
    }
  });

  it('takes the choices and the default of each parameter', () => {
    for (const { name, kind, choices, fallback, isRequired } of fields) {
      const parameter = parameters[name];
      const schema = (parameter?.kind.schema ?? {}) as { readonly enum?: readonly string[]; readonly type?: string };
      expect(choices).toEqual(schema.enum ?? []);
      expect([name, kind === 'choice', kind === 'number' || kind === 'funnel']).toEqual([
        name,
        schema.enum !== undefined,
        schema.type === 'integer',
      ]);
      expect(fallback).toBe(String(parameter?.defaultValue ?? ''));
      expect(isRequired).toBe(parameter?.isRequired);
    }
  });
});

it('shares values only between fields that take the same', () => {
  const kinds = new Map<string, string>();
  for (const query of Object.keys(QUERIES) as QuestionName[]) {
    for (const { key, kind, choices } of listFields(query)) {
      const takes = JSON.stringify([kind, choices]);
      expect([key, kinds.get(key) ?? takes]).toEqual([key, takes]);
      kinds.set(key, takes);
    }
  }
});

it('has each question in one tab', () => {
  const listed = (Object.keys(TABS) as Tab[]).flatMap(listQuestions);
  expect(listed.toSorted()).toEqual(Object.keys(QUERIES).toSorted());
});

it('splits a sentence without losing a word', () => {
  for (const { line } of Object.values<PageQuery>(QUERIES)) {
    const parts = splitLine(line).flatMap(({ words, field }) => [words, field === undefined ? '' : `{${field}}`]);
    expect(parts.filter((part) => part !== '').join(' ')).toBe(line);
  }
});
