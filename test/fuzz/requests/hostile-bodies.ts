const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** A body as bytes. */
export interface HostileBody {
  readonly type: string;
  readonly bytes: Buffer;
  /** More headers, such as a length that is not true. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the server waits for more, so that the client must go. */
  readonly isCut?: true;
}

function body(type: string, content: string | number[], more: Omit<HostileBody, 'type' | 'bytes'> = {}): HostileBody {
  return { type, bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content), ...more };
}

/** Bodies that hold no parameters, or none that a client means. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...[100, 5_000, 200_000].flatMap((levels) => [
    body(JSON_TYPE, `${'{"event":'.repeat(levels)}1${'}'.repeat(levels)}`),
    body(JSON_TYPE, `{"event":${'['.repeat(levels)}${']'.repeat(levels)}}`),
    body(JSON_TYPE, '['.repeat(levels)),
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
  ].map((text) => body(JSON_TYPE, text)),
  body(JSON_TYPE, '{"event":"a","event":"b","__proto__":{"event":"c"},"constructor":{"prototype":{"event":"d"}}}'),
  body(JSON_TYPE, `{"event":[${'1,'.repeat(20_000)}1]}`),
  body(JSON_TYPE, `{"event":"${'x'.repeat(900_000)}"}`),
  body(JSON_TYPE, `{"event":"${'x'.repeat(2_000_000)}"}`),
  body(JSON_TYPE, [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  body(FORM, [0x65, 0x3d, 0xff, 0xfe, 0x80]),
  ...[
    'event=%',
    'event=%zz',
    'event=%ff',
    '=',
    '&&&',
    'event=a&event=b',
    '%00=%00',
    `event=${'+'.repeat(500_000)}`,
  ].map((text) => body(FORM, text)),
  body(FORM, Array.from({ length: 2_000 }, (_, index) => `f${index}=1`).join('&')),
  body('text/plain', 'event=a'),
  body('multipart/form-data; boundary=x', '--x--'),
  body('', 'event=a'),
  body(`${JSON_TYPE}; charset=utf-16`, '{"event":"a"}'),
  body(FORM, 'event=a', { headers: { 'content-encoding': 'gzip' } }),
  body(FORM, 'event=a', { headers: { 'content-length': String(2 ** 40) }, isCut: true }),
  body(FORM, 'event=a', { headers: { 'content-length': '1000000' }, isCut: true }),
  body(JSON_TYPE, '{"event":', { headers: { 'content-length': '100' }, isCut: true }),
  body(FORM, 'event=a', { headers: { expect: '100-continue', 'content-length': '7' } }),
  body(FORM, 'event=a', { headers: { 'transfer-encoding': 'chunked' } }),
];

/** What is no request, or none that a client sends. */
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
