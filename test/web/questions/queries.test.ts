import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/queries/endpoints/endpoints.ts';
import { type Field, type PageQuery, QUERIES } from '../../../src/web/questions/queries.ts';

/** The schema of a choice or an integer. */
interface Schema {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Parameters without a field: data sets, pages and other formats of the response. */
const WITHOUT_FIELDS = ['verbose', 'dataset_id', 'dataset_version', 'format', 'page', 'session_id'];

describe.each(Object.entries<PageQuery>(QUERIES))('the form of %s', (_, { path, fields }) => {
  const parameters = ENDPOINTS.find((endpoint) => endpoint.path === `/${path}`)?.parameters ?? {};

  it('has a field for each parameter of its endpoint', () => {
    const names = Object.keys(parameters).filter((name) => !WITHOUT_FIELDS.includes(name));
    const sent = Object.keys(fields).filter((name) => !fields[name]?.isLocal);
    expect(sent.toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.entries(fields).filter(([, field]) => !field.isLocal))(
    'accepts the same values of %s as the endpoint',
    (name, field: Field) => {
      const { kind, defaultValue } = parameters[name] ?? {};
      const schema = (kind?.schema ?? {}) as Schema;
      if (field.kind === 'choice') {
        const values = Object.keys(field.choices).filter((value) => value !== '');
        expect(values.toSorted()).toEqual([...(schema.enum ?? [])].toSorted());
      }
      if (field.kind === 'number') {
        expect([field.min, field.max]).toEqual([schema.minimum, schema.maximum]);
        if (/^\d+$/.test(field.hint ?? '')) expect(field.hint).toBe(String(defaultValue));
      }
    },
  );
});
