import { decimalText } from '../../language/value.ts';
import { published } from './published.ts';

/** What values a parameter takes. */
export interface Kind<Value> {
  /** For people. */
  readonly takes: string;
  /** The JSON Schema. */
  readonly schema: object;
  /** A value from a text or, in a JSON body, from JSON. @throws {Refusal} */
  read(written: unknown, name: string): Value;
}

/** A text that is not empty. */
export const text: Kind<string> = {
  takes: 'a text',
  schema: { type: 'string', minLength: 1 },
  read(written, name) {
    if (typeof written !== 'string') throw published.invalid(name);
    return written;
  },
};

/** An expression, which its query compiles. */
export const expression: Kind<string> = { ...text, takes: 'an expression' };

/** A day. */
export const date: Kind<string> = {
  takes: 'a date, `yyyy-mm-dd`',
  schema: { type: 'string', format: 'date' },
  read: (written, name) => timeText(written, name, /^\d{4}-\d\d-\d\d$/, 'T00:00:00'),
};

/** A time of a day. */
export const dateTime: Kind<string> = {
  takes: 'a time, `yyyy-mm-dd HH:MM:SS`',
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' },
  read: (written, name) => timeText(written, name, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, ''),
};

/** A whole number. */
export function integer({ least = 1, most }: { least?: number; most?: number } = {}): Kind<number> {
  const range = most === undefined ? `from ${least} on` : `from ${least} to ${most.toLocaleString('en-US')}`;
  return {
    takes: `a whole number ${range}`,
    schema: { type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }) },
    read(written, name) {
      const number = typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw published.invalid(name);
      if (number < least || number > (most ?? Number.MAX_SAFE_INTEGER)) throw published.invalid(name);
      return number;
    },
  };
}

/** One of a few words. */
export function choice<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    takes: words.map((word) => `\`${word}\``).join(', '),
    schema: { type: 'string', enum: words },
    read(written, name) {
      const found = words.find((word) => word === written);
      if (found === undefined) throw published.invalid(name);
      return found;
    },
  };
}

/** A list of texts in JSON. */
export const texts: Kind<readonly string[]> = {
  takes: 'a JSON array of texts',
  schema: listSchema({ type: 'string' }),
  read(written, name) {
    const list = listFrom(written, name);
    if (list.length === 0 || !list.every((item) => typeof item === 'string')) throw published.invalid(name);
    return list;
  },
};

/** A list of property values in JSON, by the names that they have as segments. */
export const segments: Kind<readonly string[]> = {
  takes: 'a JSON array of values',
  schema: listSchema({ type: ['string', 'number', 'boolean', 'null'] }),
  read(written, name) {
    return listFrom(written, name).map((value) => {
      if (typeof value === 'object' && value !== null) throw published.invalid(name);
      return typeof value === 'number' ? decimalText(value) : String(value);
    });
  },
};

function listSchema(items: object): object {
  const array = { type: 'array', items };
  return { anyOf: [{ type: 'string', contentMediaType: 'application/json', contentSchema: array }, array] };
}

function listFrom(written: unknown, name: string): readonly unknown[] {
  const list = typeof written === 'string' ? jsonFrom(written, name) : written;
  if (!Array.isArray(list)) throw published.invalid(name);
  return list;
}

function jsonFrom(written: string, name: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw published.notJson(name);
  }
}

/** A text that says a time which there is. */
function timeText(written: unknown, name: string, form: RegExp, rest: string): string {
  if (typeof written !== 'string' || !form.test(written)) throw published.invalid(name);
  const iso = `${written.replace(' ', 'T')}${rest}`;
  const time = new Date(`${iso}Z`);
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(iso)) throw published.invalid(name);
  return written;
}
