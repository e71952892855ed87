import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/queries/service-error.ts';
import { importBatch } from '../../../../src/service/datasets/imports/import-batch.ts';
import type { RecordKind } from '../../../../src/service/store/store.ts';
import { codePoint } from '../../../code-point.ts';
import { runs } from '../../../runs.ts';

const TOKEN = 'c0ffee';

const PROPERTIES = { token: TOKEN, distinct_id: 'ann', time: 1_700_000_000 };
const EVENT = { event: 'view', properties: PROPERTIES };
const PERSON = { $token: TOKEN, $distinct_id: 'ann', $set: { plan: 'pro' } };

function toBase64(text: string | Uint8Array): string {
  return Buffer.from(text as string).toString('base64');
}

function importLines(kind: RecordKind, records: unknown): unknown[] {
  return [...importBatch(kind, toBase64(JSON.stringify(records)), TOKEN)].map((line) => JSON.parse(line));
}

/** Returns the status and message of a refused batch. */
function getRefusal(kind: RecordKind, data: string): string {
  try {
    [...importBatch(kind, data, TOKEN)];
    return 'taken';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.status} ${error.message}`;
  }
}

/** Like `getRefusal`, for the second record of a list. */
function getRecordRefusal(kind: RecordKind, json: string): string {
  return getRefusal(kind, toBase64(`[${JSON.stringify(kind === 'events' ? EVENT : PERSON)}, ${json}]`));
}

function createEventJson(properties: object): string {
  return JSON.stringify({ event: 'view', properties: { ...PROPERTIES, ...properties } });
}

const json = fc.jsonValue({ stringUnit: codePoint, maxDepth: 5 });
const names = fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('__proto__', 'constructor', '', 'a b', '$x'));
const someProperties = fc
  .array(fc.tuple(names, json), { maxLength: 8 })
  .map((entries) =>
    Object.fromEntries(entries.filter(([name]) => !/^(token|distinct_id|time|\$insert_id)$/.test(name))),
  );

/** Returns a value after a round trip through JSON. */
function roundTrip(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Returns entries: unlike objects, they differ by `__proto__`. */
function sortEntries(properties: object): [string, unknown][] {
  return Object.entries(properties).sort(([left], [right]) => (left < right ? -1 : 1));
}

describe('an accepted record', () => {
  it('is stored without the token', () => {
    const properties = { ...PROPERTIES, $insert_id: 'a1', tags: ['a', { b: [1, null] }], 'not set': null };
    const { token, ...stored } = properties;
    const line = { event: 'view', time: 1_700_000_000, distinct_id: 'ann', insert_id: 'a1', properties: stored };
    expect(importLines('events', { event: 'view', properties })).toEqual([line]);
    expect(importLines('events', [{ event: 'view', properties }, EVENT])).toHaveLength(2);
  });

  it('is stored unchanged, whatever JSON it holds', () => {
    fc.assert(
      fc.property(fc.array(someProperties, { minLength: 1, maxLength: 4 }), (list) => {
        const records = list.map((some) => ({ event: 'view', properties: { ...some, ...PROPERTIES } }));
        const lines = importLines('events', records) as { properties: object }[];
        const { token, ...required } = PROPERTIES;
        expect(lines.map(({ properties }) => sortEntries(properties))).toEqual(
          list.map((some) => sortEntries({ ...(roundTrip(some) as object), ...required })),
        );
      }),
    );
  });

  it('can be encoded in any variant of base64', () => {
    fc.assert(
      fc.property(someProperties, (some) => {
        // At any offset, this contains the digits in which the alphabets differ.
        const text = JSON.stringify({ event: 'view', properties: { ...some, signs: '>>>>????', ...PROPERTIES } });
        const standard = toBase64(text);
        expect(standard).toMatch(/[+].*[/]/);
        const url = Buffer.from(text).toString('base64url');
        const half = standard.length >> 1;
        const variants = [
          ...[standard.replace(/=+$/, ''), standard.replaceAll('+', ' '), url, url + standard.slice(url.length)],
          ...[url.slice(0, half) + standard.slice(half), standard.slice(0, half) + url.slice(half)],
          ...[standard.replace(/.{76}/g, '$&\r\n'), `${standard.replace(/.{64}/g, '$&\n')}\n`],
          [...standard].join('\n'),
        ];
        const lines = [...importBatch('events', standard, TOKEN)];
        for (const variant of variants) expect([...importBatch('events', variant, TOKEN)]).toEqual(lines);
      }),
    );
  });

  it('becomes one line', () => {
    const [line] = importBatch('events', toBase64(createEventJson({ 'a\nb': 'c\r\n\u2028' })), TOKEN);
    expect(line).not.toMatch(/[\r\n]/);
  });

  it('can have numeric IDs, which stay numbers in the properties', () => {
    const ids = { distinct_id: 1e21, $insert_id: -0.5 };
    expect(importLines('events', { event: 'view', properties: { ...PROPERTIES, ...ids } })).toMatchObject([
      { distinct_id: '1000000000000000000000', insert_id: '-0.5', properties: ids },
    ]);
    expect(importLines('people', { ...PERSON, $distinct_id: 12 })).toMatchObject([{ $distinct_id: '12' }]);
  });

  it('can have 10,000 properties or 128 levels, and be one of 1000 in a batch', () => {
    expect(importLines('events', Array(1000).fill(EVENT))).toHaveLength(1000);
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, index]));
    const deep = JSON.parse(`${'['.repeat(127)}${']'.repeat(127)}`);
    for (const properties of [many, { deep }]) {
      expect(importLines('events', { event: 'view', properties: { ...PROPERTIES, ...properties } })).toMatchObject([
        { properties },
      ]);
    }
  });

  it('can have property names such as `__proto__` without changing prototypes', () => {
    const text = createEventJson({ constructor: 1, toString: 2 }).replace(
      '{"token"',
      '{"__proto__":{"polluted":true},"":3,"token"',
    );
    const [line] = importBatch('events', toBase64(text), TOKEN);
    expect(line).toContain('"properties":{"__proto__":{"polluted":true},"":3,"distinct_id"');
    expect(line).toContain('"constructor":1,"toString":2');
    expect(({} as { polluted?: true }).polluted).toBe(undefined);
  });

  it('replaces lone surrogates with U+FFFD, also in names and IDs, and keeps pairs', () => {
    const text = createEventJson({
      x: ['\ud83d', { '\ude00': '\u{1f600}' }],
      distinct_id: 'a\ud800',
      path: 'C:\\udata',
    });
    expect(text).toContain('\\ud83d');
    const properties = { x: ['\ufffd', { '\ufffd': '\u{1f600}' }], distinct_id: 'a\ufffd', path: 'C:\\udata' };
    expect([...importBatch('events', toBase64(text), TOKEN)].map((line) => JSON.parse(line))).toMatchObject([
      { distinct_id: 'a\ufffd', properties },
    ]);
  });

  it('keeps only the operations of a person update, in order', () => {
    const sent = {
      $ip: '::1',
      $unset: ['a'],
      $token: TOKEN,
      $set: { a: 1 },
      $time: 1,
      $distinct_id: 'ann',
      $delete: null,
    };
    const line = { $distinct_id: 'ann', $unset: ['a'], $set: { a: 1 }, $delete: null };
    const others = { $ignore_time: true, $ignore_alias: true };
    expect([...importBatch('people', toBase64(JSON.stringify({ ...sent, ...others })), TOKEN)]).toEqual([
      JSON.stringify(line),
    ]);
  });
});

describe('importBatch refuses a batch', () => {
  const hint = 'Encode the JSON of the records as base64.';

  it.each([
    ['ab%3D', '400 data is not base64: "%" at character 3.'],
    ['eyJ9\teyJ9', '400 data is not base64: "\\t" at character 5.'],
    ['eyJ9\ne30=\n=\n=\n', '400 data is not base64: "=" at character 9.'],
    ['e3\r\n=\n0=', '400 data is not base64: "=" at character 5.'],
    ['e30=e30=', '400 data is not base64: "=" at character 4.'],
    ['e30=\u{1f600}', '400 data is not base64: "=" at character 4.'],
    ['e\u{1f600}30', '400 data is not base64: "\u{1f600}" at character 2.'],
    ['e\u202e30', '400 data is not base64: "\\u202e" at character 2.'],
    ['e30===', '400 data is not base64: "=" at character 4.'],
    ['e30==', '400 data is not base64: its 5 characters end within a byte.'],
    ['e30\n=\n=\n', '400 data is not base64: its 5 characters end within a byte.'],
    ['e\n', '400 data is not base64: its 1 characters end within a byte.'],
    ['e', '400 data is not base64: its 1 characters end within a byte.'],
    ['e===', '400 data is not base64: "=" at character 2.'],
  ])('that is not base64: %j', (data, message) => {
    expect(getRefusal('events', data)).toBe(`${message} ${hint}`);
  });

  it.each(['', ' \n', '[]', ' [ \n] '])('without records: %j', (text) => {
    expect(getRefusal('events', toBase64(text))).toBe(
      '400 data has no records. Send one, or a list of them, as JSON in base64.',
    );
  });

  it('of more than 1,000 records', () => {
    const data = toBase64(JSON.stringify(Array(1001).fill(EVENT)));
    expect(getRefusal('events', data)).toBe('413 data has more than 1,000 records. Send them in several batches.');
  });

  it.each([
    ['[', 'record 0: data ends within it, or lacks a "]".'],
    ['[[1]', 'record 0: data ends within it, or lacks a "]".'],
    ['[1, 2', 'record 1: data ends within it, or lacks a "]".'],
    ['["a]', 'record 0: data ends within it, or lacks a "]".'],
    ['["a\\"]', 'record 0: data ends within it, or lacks a "]".'],
    ['[1}', 'record 0: data ends within it, or lacks a "]".'],
    ['[1] 2', 'data continues after the "]" that ends the list of records.'],
  ])('that is not JSON: %s', (text, message) => {
    expect(getRefusal('events', toBase64(text))).toBe(`400 ${message}`);
  });
});

describe('importBatch refuses a record', () => {
  // The engine words the rest of the message.
  it.each(['', '{"a":1', '{"a":"\n"}', "{'a': 1}", '{"a": NaN}', '\u{feff}{}', '{} {}', '"\u001b[2J'])(
    'that is not JSON: %j',
    (json) => {
      expect(getRecordRefusal('events', json)).toMatch(
        /^400 record 1: (not JSON: |data ends within it)[ -~\ufeff]+\.$/,
      );
    },
  );
});

describe('bytes that are not UTF-8', () => {
  const whole = Buffer.from(`[${JSON.stringify(EVENT)},${createEventJson({ name: '\ufffd😀' })}]`);
  const at = whole.indexOf('😀');

  it.each([0, 1, 2, 3])('are refused if byte %i of a character is wrong', (index) => {
    const bytes = Buffer.from(whole);
    bytes[at + index] = 0xff;
    // A truncated character is wrong from its first byte.
    const message = index === 0 ? '0xff' : '0xf0';
    expect(getRefusal('events', toBase64(bytes))).toBe(
      `400 record 1: not UTF-8: ${message}, byte ${at + 1} of the decoded data. Encode the JSON as UTF-8, then as base64.`,
    );
  });

  it.each([1, 2, 3])('are refused if data ends after %i bytes of a character', (count) => {
    expect(getRefusal('events', toBase64(whole.subarray(0, at + count)))).toContain(
      `record 1: not UTF-8: 0xf0, byte ${at + 1} `,
    );
  });

  it('are located anywhere, also among replacement characters', () => {
    const begin = '{"event":"';
    // The decoder checks blocks of 65,536 bytes.
    const places = fc.tuple(fc.nat(2), fc.oneof(fc.nat(10), fc.integer({ min: -10, max: 10 })));
    const characters = fc.array(fc.constantFrom('a', 'é', '\ufffd', '😀'), { minLength: 1, maxLength: 5 });
    const found = fc.property(places, characters, fc.constantFrom(0x80, 0xe2, 0xff), ([blocks, more], some, flaw) => {
      const one = some.join('');
      const filler = one.repeat(
        Math.max(0, Math.floor((blocks * 65_536 - begin.length) / Buffer.byteLength(one)) + more),
      );
      const sent = Buffer.from(begin + filler);
      // The next byte is not a continuation byte.
      const bytes = Buffer.concat([sent, Buffer.from([flaw]), Buffer.from('"}')]);
      expect(getRefusal('events', toBase64(bytes))).toContain(
        `record 0: not UTF-8: 0x${flaw.toString(16)}, byte ${sent.length + 1} of the decoded data.`,
      );
    });
    fc.assert(found, { numRuns: runs(200) });
  });

  it.each([
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a continuation alone', [0x80]],
  ])('are refused: %s', (_, bytes) => {
    const data = Buffer.concat([Buffer.from('{"event":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(getRefusal('events', toBase64(data))).toContain('record 0: not UTF-8: ');
    expect(getRefusal('events', toBase64(data))).toContain(' byte 11 of the decoded data.');
  });
});

describe('importBatch refuses an event', () => {
  const form = 'Send {"event": …, "properties": {"token": …, "distinct_id": …, "time": …}}.';
  const id = 'Send a non-empty string or a number';
  const time = 'Send Unix time in whole seconds, as a number';
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const { token, ...tokenless } = PROPERTIES;

  it.each(
    [
      ['[]', `it is a list. ${form}`],
      ['null', `it is null. ${form}`],
      ['"\\u001b[31m"', `it is the string "\\u001b[31m". ${form}`],
      ['{}', `no event. ${form}`],
      ['{"event": ""}', 'event is an empty string. Send a name.'],
      ['{"event": 7}', 'event is 7. Send a name.'],
      ['{"event": "a"}', `no properties. ${form}`],
      ['{"event": "a", "properties": []}', `properties is a list. ${form}`],
      ['{"event": "a", "properties": {}}', `no distinct_id. ${id}, among the properties.`],
      [createEventJson({ distinct_id: '' }), `distinct_id is an empty string. ${id}.`],
      [createEventJson({ distinct_id: null }), `distinct_id is null. ${id}.`],
      [createEventJson({ distinct_id: {} }), `distinct_id is an object. ${id}.`],
      [
        createEventJson({ distinct_id: 0 }).replace('"distinct_id":0', '"distinct_id":1e400'),
        `distinct_id is a number too large. ${id}.`,
      ],
      [createEventJson({ time: undefined }), `no time. ${time}, among the properties.`],
      [createEventJson({ time: '1700000000' }), `time is the string "1700000000". ${time}.`],
      [createEventJson({ time: 'x'.repeat(99) }), `time is the string "${'x'.repeat(39)}…". ${time}.`],
      [createEventJson({ time: null }), `time is null. ${time}.`],
      [createEventJson({ time: 1_700_000_000.5 }), `time is 1700000000.5. ${time}: 1700000000.`],
      [createEventJson({ time: 0 }), `time is 0, which is not after 1970. ${time}.`],
      [createEventJson({ time: -86_400 }), `time is -86400, which is not after 1970. ${time}.`],
      [
        createEventJson({ time: 1_700_000_000_999 }),
        `time is 1700000000999, which is in milliseconds. ${time}: 1700000000.`,
      ],
      [createEventJson({ time: 4_294_967_296 }), `time is 4294967296, which is in milliseconds. ${time}: 4294967.`],
      [createEventJson({ time: 1.7e15 }), `time is 1700000000000000, which is after the year 2105. ${time}.`],
      [createEventJson({ $insert_id: '' }), `$insert_id is an empty string. ${id}, or leave it out.`],
      [createEventJson({ $insert_id: null }), `$insert_id is null. ${id}, or leave it out.`],
      [
        createEventJson({ a: 0 }).replace('"a":0', '"a":-1e400'),
        'properties["a"] is a number beyond 1.8e308. Send it as a string.',
      ],
      [
        createEventJson({ a: [1, { '\n': 0 }] }).replace('"\\n":0', '"\\n":1e400'),
        'properties["a"][1]["\\n"] is a number beyond 1.8e308. Send it as a string.',
      ],
      [
        createEventJson({}).replace('{"token"', `{"a":${deep(128)},"token"`),
        `properties["a"]${'[0]'.repeat(21)}[… is nested more than 128 levels deep. Send flatter properties.`,
      ],
      [
        createEventJson({}).replace('{"token"', `{"a":${deep(100_000)},"token"`),
        `properties["a"]${'[0]'.repeat(21)}[… is nested more than 128 levels deep. Send flatter properties.`,
      ],
      [
        JSON.stringify({ event: 'a', properties: tokenless }),
        'no token. Send that of the project as "token", among its properties.',
      ],
      [
        createEventJson({ token: 'other' }),
        'its token is not that of the project. Send the right one as "token", among its properties.',
      ],
      [
        createEventJson({ token: null }),
        'its token is not that of the project. Send the right one as "token", among its properties.',
      ],
    ].map(([json = '', message]) => [message, json] as const),
  )('%s', (message, json) => {
    expect(getRecordRefusal('events', json)).toBe(`400 record 1: ${message}`);
  });

  it('of more than 1 MiB, not counting the whitespace around it', () => {
    const padding = 2 ** 20 - Buffer.byteLength(createEventJson({ a: '' }));
    const longest = createEventJson({ a: 'é'.repeat(padding >> 1) + 'x'.repeat(padding & 1) });
    expect(Buffer.byteLength(longest)).toBe(2 ** 20);
    expect(getRecordRefusal('events', `\n${longest}\n`)).toBe('taken');
    expect(getRecordRefusal('events', longest.replace('"a":', '"a": '))).toBe(
      '413 record 1: 1,048,577 bytes. A record may have 1,048,576 (1 MiB).',
    );
  });

  it('together with its batch, and names the first invalid record', () => {
    const records = [EVENT, { ...EVENT, event: '' }, EVENT, {}];
    expect(getRefusal('events', toBase64(JSON.stringify(records)))).toMatch(
      /^400 record 1: event is an empty string\./,
    );
  });
});

describe('importBatch refuses a person update', () => {
  const form = 'Send {"$token": …, "$distinct_id": …, "$set": {…}}.';
  const operations = '$set, $set_once, $add, $append, $union, $remove, $unset, $delete, $properties';
  const createPersonJson = (rest: object) => JSON.stringify({ $token: TOKEN, $distinct_id: 'ann', ...rest });

  it.each([
    ['3', `it is 3. ${form}`],
    ['{}', `no $distinct_id. ${form}`],
    [createPersonJson({ $distinct_id: '' }), '$distinct_id is an empty string. Send a non-empty string or a number.'],
    [createPersonJson({}), `no operation. Send ${operations}.`],
    [createPersonJson({ $ip: '::1' }), `no operation. Send ${operations}.`],
    [createPersonJson({ $sett: {} }), '"$sett" is not an operation. Did you mean $set?'],
    [createPersonJson({ plan: 'pro' }), `"plan" is not an operation. Send ${operations}.`],
    [
      createPersonJson({ $set: {}, __proto__x: 1 }).replace('__proto__x', '__proto__'),
      `"__proto__" is not an operation. Send ${operations}.`,
    ],
    [createPersonJson({ $set: [] }), '$set is a list. It takes an object of properties, such as {"plan": "pro"}.'],
    [
      createPersonJson({ $properties: [] }),
      '$properties is a list. It takes an object of properties, such as {"plan": "pro"}.',
    ],
    [
      createPersonJson({ $set_once: 'a' }),
      '$set_once is the string "a". It takes an object of properties, such as {"plan": "pro"}.',
    ],
    [createPersonJson({ $add: 1 }), '$add is 1. It takes an object of numbers, such as {"visits": 1}.'],
    [
      createPersonJson({ $add: { a: 1, b: '1' } }),
      '$add["b"] is the string "1". $add takes an object of numbers, such as {"visits": 1}.',
    ],
    [
      createPersonJson({ $append: null }),
      '$append is null. It takes an object of properties, such as {"plan": "pro"}.',
    ],
    [
      createPersonJson({ $union: { a: 1 } }),
      '$union["a"] is 1. $union takes an object of lists, such as {"tags": ["new"]}.',
    ],
    [
      createPersonJson({ $remove: ['a'] }),
      '$remove is a list. It takes an object of properties, such as {"plan": "pro"}.',
    ],
    [
      createPersonJson({ $unset: 'a' }),
      '$unset is the string "a". It takes a list of property names, such as ["plan"].',
    ],
    [
      createPersonJson({ $unset: ['a', 1] }),
      '$unset["1"] is 1. $unset takes a list of property names, such as ["plan"].',
    ],
    [
      createPersonJson({ $add: { a: 0 } }).replace('"a":0', '"a":1e400'),
      '$add["a"] is a number beyond 1.8e308. Send it as a string.',
    ],
    [
      createPersonJson({ $delete: { a: 0 } }).replace('"a":0', '"a":1e400'),
      '$delete["a"] is a number beyond 1.8e308. Send it as a string.',
    ],
    [createPersonJson({ $token: undefined, $set: {} }), 'no token. Send that of the project as "$token".'],
    [
      createPersonJson({ $token: 'other', $set: {} }),
      'its token is not that of the project. Send the right one as "$token".',
    ],
  ])('%s', (json, message) => {
    expect(getRecordRefusal('people', json)).toBe(`400 record 1: ${message}`);
  });
});
