import { ENDPOINTS } from './endpoints.ts';

type Choices = readonly (readonly [days: number, unit: string])[];

/** The most days that each unit divides into a number of buckets that is easy to read, by the path of an endpoint. */
const CHOICES: Readonly<Record<string, Choices>> = {
  '/retention': [
    [14, 'day'],
    [120, 'week'],
  ],
  '/retention/addiction': [[60, 'week']],
};

const OTHERS: Choices = [
  [2, 'hour'],
  [100, 'day'],
  [400, 'week'],
];

/**
 * Returns the `unit` of an endpoint that people are shown if they set none. Undefined if it has no units.
 *
 * @param path the path of the endpoint, such as `/retention`
 * @param days the number of days that the request covers
 */
export function chooseUnit(path: string, days: number): string | undefined {
  const schema = ENDPOINTS.find((endpoint) => endpoint.path === path)?.parameters.unit?.kind.schema;
  const units = (schema as { readonly enum?: readonly string[] } | undefined)?.enum ?? [];
  const [, unit = 'month'] = (CHOICES[path] ?? OTHERS).find(([most]) => days <= most) ?? [];
  return [unit, 'day'].find((one) => units.includes(one));
}
