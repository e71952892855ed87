import { formatDecimal } from '../../../lang/value.ts';

/** What values a parameter takes. */
export interface ParameterKind<Value> {
  /** For people. */
  readonly takes: string;
  /** The JSON Schema. */
  readonly schema: object;
  /** A value from a text or, in a JSON body, from JSON; undefined for what is none. @throws {SyntaxError} where it should be JSON. */
  read(written: unknown): Value | undefined;
}

/** A text that is not empty. */
export const text: ParameterKind<string> = {
  takes: 'a text',
  schema: { type: 'string', minLength: 1 },
  read: (written) => (typeof written === 'string' ? written : undefined),
};

/** An expression, which its query compiles. */
export const expressionText: ParameterKind<string> = { ...text, takes: 'an expression' };

/** A day. */
export const date: ParameterKind<string> = {
  takes: 'a date, `yyyy-mm-dd`, from the year 0001 on',
  schema: { type: 'string', format: 'date' },
  read: (written) => timeText(written, /^\d{4}-\d\d-\d\d$/, 'T00:00:00'),
};

/** A time of a day. */
export const dateTime: ParameterKind<string> = {
  takes: 'a time, `yyyy-mm-dd HH:MM:SS`, from the year 0001 on',
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' },
  read: (written) => timeText(written, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, ''),
};

/** A whole number. */
export function integer({ least = 1, most }: { least?: number; most?: number } = {}): ParameterKind<number> {
  const range = most === undefined ? `from ${least} on` : `from ${least} to ${most.toLocaleString('en-US')}`;
  return {
    takes: `a whole number ${range}`,
    schema: { type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }) },
    read(written) {
      const number = typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
      return number < least || number > (most ?? Number.MAX_SAFE_INTEGER) ? undefined : number;
    },
  };
}

/** One of a few words. */
export function choice<const Word extends string>(...words: readonly Word[]): ParameterKind<Word> {
  return {
    takes: words.map((word) => `\`${word}\``).join(', '),
    schema: { type: 'string', enum: words },
    read: (written) => words.find((word) => word === written),
  };
}

/** A list of texts in JSON. */
export const texts: ParameterKind<readonly string[]> = {
  takes: 'a JSON array of texts',
  schema: listSchema({ type: 'string' }),
  read(written) {
    const list = listFrom(written);
    return list?.length === 0 || !list?.every((item) => typeof item === 'string') ? undefined : list;
  },
};

/** A list of property values in JSON, by the names that they have as segments. */
export const segments: ParameterKind<readonly string[]> = {
  takes: 'a JSON array of values',
  schema: listSchema({ type: ['string', 'number', 'boolean', 'null'] }),
  read(written) {
    const list = listFrom(written);
    if (list?.some((value) => typeof value === 'object' && value !== null)) return undefined;
    return list?.map((value) => (typeof value === 'number' ? formatDecimal(value) : String(value)));
  },
};

function listSchema(items: object): object {
  const array = { type: 'array', items };
  return { anyOf: [{ type: 'string', contentMediaType: 'application/json', contentSchema: array }, array] };
}

function listFrom(written: unknown): readonly unknown[] | undefined {
  const list: unknown = typeof written === 'string' ? JSON.parse(written) : written;
  return Array.isArray(list) ? list : undefined;
}

/** A text that says a time which there is. The calendar begins with the year 1. */
function timeText(written: unknown, form: RegExp, rest: string): string | undefined {
  if (typeof written !== 'string' || !form.test(written) || written.startsWith('0000')) return undefined;
  const iso = `${written.replace(' ', 'T')}${rest}`;
  const time = new Date(`${iso}Z`);
  return Number.isNaN(time.getTime()) || !time.toISOString().startsWith(iso) ? undefined : written;
}
