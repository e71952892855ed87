const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** A body in bytes. */
export interface HostileBody {
  readonly type: string;
  readonly bytes: Buffer;
  /** Additional headers, such as a wrong length. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the server waits for more, so that the client must close the connection. */
  readonly isCut?: true;
}

function createBody(
  type: string,
  content: string | number[],
  more: Omit<HostileBody, 'type' | 'bytes'> = {},
): HostileBody {
  return { type, bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content), ...more };
}

/** Bodies without parameters, or with parameters that no client would send. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...[100, 5_000, 200_000].flatMap((levels) => [
    createBody(JSON_TYPE, `${'{"event":'.repeat(levels)}1${'}'.repeat(levels)}`),
    createBody(JSON_TYPE, `{"event":${'['.repeat(levels)}${']'.repeat(levels)}}`),
    createBody(JSON_TYPE, '['.repeat(levels)),
  ]),
  ...[
    '{',
    '{"event":"a"',
    '{"event":"a",}',
    'null',
    '[]',
    '"a"',
    '1',
    '',
    '{} x',
    '\ufeff{}',
    "{'event':'a'}",
    '{"event":1e999}',
  ].map((text) => createBody(JSON_TYPE, text)),
  createBody(
    JSON_TYPE,
    '{"event":"a","event":"b","__proto__":{"event":"c"},"constructor":{"prototype":{"event":"d"}}}',
  ),
  createBody(JSON_TYPE, `{"event":[${'1,'.repeat(20_000)}1]}`),
  createBody(JSON_TYPE, `{"event":"${'x'.repeat(900_000)}"}`),
  createBody(JSON_TYPE, `{"event":"${'x'.repeat(2_000_000)}"}`),
  createBody(JSON_TYPE, [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  createBody(FORM, [0x65, 0x3d, 0xff, 0xfe, 0x80]),
  ...[
    'event=%',
    'event=%zz',
    'event=%ff',
    '=',
    '&&&',
    'event=a&event=b',
    '%00=%00',
    `event=${'+'.repeat(500_000)}`,
  ].map((text) => createBody(FORM, text)),
  createBody(FORM, Array.from({ length: 2_000 }, (_, index) => `f${index}=1`).join('&')),
  createBody('text/plain', 'event=a'),
  createBody('multipart/form-data; boundary=x', '--x--'),
  createBody('', 'event=a'),
  createBody(`${JSON_TYPE}; charset=utf-16`, '{"event":"a"}'),
  createBody(FORM, 'event=a', { headers: { 'content-encoding': 'gzip' } }),
  createBody(FORM, 'event=a', { headers: { 'content-length': String(2 ** 40) }, isCut: true }),
  createBody(FORM, 'event=a', { headers: { 'content-length': '1000000' }, isCut: true }),
  createBody(JSON_TYPE, '{"event":', { headers: { 'content-length': '100' }, isCut: true }),
  createBody(FORM, 'event=a', { headers: { expect: '100-continue', 'content-length': '7' } }),
  createBody(FORM, 'event=a', { headers: { 'transfer-encoding': 'chunked' } }),
];

/** Bytes that are not a valid request, or that no client would send. */
export const HOSTILE_BYTES: readonly string[] = [
  'GET /api/2.0/events HTTP/1.1\r\n\r\n',
  'GET /api/2.0/events HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET /api/2.0/events\r\n\r\n',
  'GET  /api/2.0/events\0 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /api/2.0/ev%zzents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'BREW /api/2.0/events HTTP/1.1\r\nHost: x\r\n\r\n',
  'PUT /api/2.0/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'POST /api/2.0/events HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /api/2.0/events HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'POST /api/2.0/events HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/2.0/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `GET /${'a'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'X: 1\r\n'.repeat(5_000)}\r\n`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'hello\r\n\r\n',
];
