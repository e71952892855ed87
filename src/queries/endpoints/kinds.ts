import { formatDecimal } from '../../lang/value.ts';
import { type FunnelStep, isFunnelStep } from '../funnel-content.ts';

/** The type of a parameter: how it is documented, validated and parsed. */
export interface ParameterKind<Value> {
  /** Completes "Expected …" in error messages and docs. */
  readonly takes: string;
  readonly schema: object;
  /**
   * Parses a value, which is a string or, in a JSON body, any JSON value. Returns undefined for an invalid value.
   *
   * @throws {SyntaxError} if the string must be JSON and is not
   */
  read(given: unknown): Value | undefined;
}

/** Any string. An empty parameter counts as missing, so the string is never empty. */
export const string: ParameterKind<string> = {
  takes: 'a string',
  schema: { type: 'string', minLength: 1 },
  read: (given) => (typeof given === 'string' ? given : undefined),
};

/** An expression of the language. The query compiles and checks it. */
export const expressionText: ParameterKind<string> = { ...string, takes: 'an expression' };

/** A calendar date. */
export const date: ParameterKind<string> = {
  takes: 'a date `yyyy-mm-dd`, year 0001 or later',
  schema: { type: 'string', format: 'date' },
  read: (given) => readTime(given, /^\d{4}-\d\d-\d\d$/, 'T00:00:00'),
};

/** A date and time without a time zone. */
export const dateTime: ParameterKind<string> = {
  takes: 'a time `yyyy-mm-dd HH:MM:SS`, year 0001 or later',
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' },
  read: (given) => readTime(given, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, ''),
};

/** A switch. */
export const flag: ParameterKind<boolean> = {
  takes: '`1` or `0`',
  schema: { enum: ['1', '0', 1, 0, true, false] },
  read(given) {
    if (given === '1' || given === 1 || given === true) return true;
    return given === '0' || given === 0 || given === false ? false : undefined;
  },
};

/** Creates the type of an integer within a range, by default from 1. */
export function integer({ min = 1, max }: { min?: number; max?: number } = {}): ParameterKind<number> {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max.toLocaleString('en-US')}`;
  return {
    takes: `an integer ${range}`,
    schema: { type: 'integer', minimum: min, ...(max !== undefined && { maximum: max }) },
    read(given) {
      const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
      return number < min || number > (max ?? Number.MAX_SAFE_INTEGER) ? undefined : number;
    },
  };
}

/** Creates the type of an enum. */
export function choice<const Option extends string>(...options: readonly Option[]): ParameterKind<Option> {
  return {
    takes: options.map((option) => `\`${option}\``).join(', '),
    schema: { type: 'string', enum: options },
    read: (given) => options.find((option) => option === given),
  };
}

/** A non-empty JSON array of strings. */
export const strings: ParameterKind<readonly string[]> = {
  takes: 'a JSON array of strings',
  schema: createArraySchema({ type: 'string' }),
  read(given) {
    const list = parseArray(given);
    return list?.length === 0 || !list?.every((item) => typeof item === 'string') ? undefined : list;
  },
};

/** A JSON array of property values. They are read as the names of their segments, such as `1.5`, `true` or `null`. */
export const segments: ParameterKind<readonly string[]> = {
  takes: 'a JSON array of values',
  schema: createArraySchema({ type: ['string', 'number', 'boolean', 'null'] }),
  read(given) {
    const list = parseArray(given);
    if (list?.some((value) => typeof value === 'object' && value !== null)) return undefined;
    return list?.map((value) => (typeof value === 'number' ? formatDecimal(value) : String(value)));
  },
};

/** More steps make a query that databases plan slowly. */
const MAX_STEPS = 20;

/** The steps of a funnel. */
export const funnelSteps: ParameterKind<readonly FunnelStep[]> = {
  takes: `a JSON array of 1 to ${MAX_STEPS} steps, each an object with \`event\` and optionally \`where\``,
  schema: createArraySchema({
    type: 'object',
    required: ['event'],
    properties: { event: { type: 'string', minLength: 1 }, where: { type: 'string' } },
  }),
  read(given) {
    const list = parseArray(given);
    if (list === undefined || list.length === 0 || list.length > MAX_STEPS || !list.every(isFunnelStep))
      return undefined;
    if (list.some(({ event }) => event === '')) return undefined;
    return list.map(({ event, where }) => (where === undefined || where === '' ? { event } : { event, where }));
  },
};

function createArraySchema(items: object): object {
  const array = { type: 'array', items };
  return { anyOf: [{ type: 'string', contentMediaType: 'application/json', contentSchema: array }, array] };
}

function parseArray(given: unknown): readonly unknown[] | undefined {
  const list: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  return Array.isArray(list) ? list : undefined;
}

/**
 * Returns a date or time unchanged, or undefined if it does not match or does not exist. The calendar begins with
 * year 1.
 *
 * @param rest Completes a date to an ISO 8601 time.
 */
function readTime(given: unknown, pattern: RegExp, rest: string): string | undefined {
  if (typeof given !== 'string' || !pattern.test(given) || given.startsWith('0000')) return undefined;
  const iso = `${given.replace(' ', 'T')}${rest}`;
  const time = new Date(`${iso}Z`);
  return Number.isNaN(time.getTime()) || !time.toISOString().startsWith(iso) ? undefined : given;
}
