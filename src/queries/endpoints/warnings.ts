import { findAbsentNames, type NamedInRequest } from '../absent-names.ts';
import { type OpenAnswer, readAnswer } from '../answer-stream.ts';
import { QueryError, QueryLimitError } from '../errors.ts';
import type { RequestOf, ResultOf } from '../requests.ts';
import type { RequestTarget, Services } from '../services.ts';
import { flag } from './kinds.ts';
import { allowParameter } from './parameter.ts';

/** The parameter that adds warnings to a response. */
export const VERBOSE = allowParameter(
  flag,
  'Set to 1 to add `warnings` to a JSON response: a sentence for each condition that cannot mean what it says, and for ' +
    'each event, property and value that the request names and no record has.',
  false,
);

const NOT_COMPARED = 'The names in the request were not compared with the data, because that takes too long.';

const WARNINGS_SCHEMA = { type: 'array', items: { type: 'string' }, description: 'Present with `verbose=1`.' };

/** Adds the warnings to the JSON Schema of a response, which must be that of an object. */
export function addWarningsSchema(schema: object): object {
  const { properties } = schema as { readonly properties?: object };
  return { ...schema, properties: { ...properties, warnings: WARNINGS_SCHEMA } };
}

/**
 * Finds warnings about a valid request: about its expressions, and about names that no record has, of all that it could
 * read. Counts of names are cached like answers; if they exceed the limits of queries, a warning says so.
 */
export async function findWarnings(
  services: Services,
  target: RequestTarget,
  named: NamedInRequest,
): Promise<string[]> {
  const count = async <Name extends 'names' | 'values'>(name: Name, request: RequestOf<Name>) => {
    const write = (result: ResultOf<Name>) => [JSON.stringify(result)];
    const answer = await services.ask(target, { name, request, format: 'json', write });
    return JSON.parse(await readAnswer(answer)) as ResultOf<Name>;
  };
  const { timeZone } = target.access.project;
  // The proofs behind warnings are much code, and programs that only read the declarations of endpoints need none of it.
  const { describeWarnings } = await import('./describe-warnings.ts');
  const found = [...new Set(named.sources)].flatMap((source) => describeWarnings(source, timeZone));
  try {
    const absent = await findAbsentNames(named, {
      names: (request) => count('names', request),
      values: (request) => count('values', request),
    });
    return [...found, ...absent];
  } catch (error) {
    if (error instanceof QueryLimitError || error instanceof QueryError) return [...found, NOT_COMPARED];
    throw error;
  }
}

/** Adds a key with a value to the end of a JSON object. */
export function addLastKey(answer: string | OpenAnswer, key: string, value: unknown): string | OpenAnswer {
  const end = `"${key}":${JSON.stringify(value)}}`;
  if (typeof answer === 'string') return `${answer.slice(0, -1)}${answer === '{}' ? '' : ','}${end}`;
  return answer.replaceLastByte(`,${end}`);
}
