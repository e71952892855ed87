import fc, { type Arbitrary } from 'fast-check';
import { type Credentials, isWrite, KEY_NAMES, USELESS_CREDENTIALS } from './credentials.ts';
import { HOSTILE_BODIES, HOSTILE_BYTES, type HostileBody } from './hostile-bodies.ts';
import { ODD_STRINGS } from './hostile-strings.ts';
import type { Declared, Operation } from './operation.ts';
import type { Target } from './target.ts';
import { createExtremeValues, createValidValues } from './values.ts';

/** The encoding of parameters. */
type Encoding = 'query' | 'form' | 'json';

/** A placeholder for the session ID in the response to the opener. */
export const SESSION = '<session>';

/** A random request. */
export interface Drawn {
  readonly operation: Operation;
  readonly method: string;
  readonly encoding: Encoding;
  /** A bit set of the parameters that are in the query instead of the form or JSON. */
  readonly inQuery?: number;
  readonly parameters: readonly (readonly [name: string, value: unknown])[];
  readonly credentials: Credentials;
  /** The body to send instead of the parameters. */
  readonly body?: HostileBody;
  /** The bytes to send instead of the whole request. */
  readonly bytes?: string;
  /** The client closes the connection after this many milliseconds. */
  readonly abortsAfter?: number;
  /** A request to send first. */
  readonly opener?: Drawn;
}

const CALLBACKS = [
  'cb',
  'a.b.c',
  '$',
  'ünï',
  'x'.repeat(1_000),
  '',
  '__proto__',
  'alert(1)',
  'a;b',
  'a.',
  '\u2028',
  'a[0]',
];

/** Names of parameters that no endpoint has. */
const UNKNOWN = [
  '__proto__',
  'constructor',
  'toString',
  'foo',
  '',
  ' event',
  'event[]',
  'event.x',
  'Event',
  'sig2',
  'a\0b',
];

/** Generates random requests for the operations about a project. */
export function createRequests(operations: readonly Operation[], target: Target): Arbitrary<Drawn> {
  const hostileBytes = fc.record({
    operation: fc.constantFrom(...operations),
    method: fc.constant('GET'),
    encoding: fc.constant<Encoding>('query'),
    parameters: fc.constant([]),
    credentials: fc.constant<Credentials>('none'),
    bytes: fc.constantFrom(...HOSTILE_BYTES),
  });
  const each = operations.flatMap((operation) => {
    const usual = createOrdinaryRequests(operation, target);
    return operation.path.endsWith('/engage') ? [usual, createPageRequests(operation, target)] : [usual];
  });
  return fc.oneof({ weight: 60, arbitrary: fc.oneof(...each) }, { weight: 1, arbitrary: hostileBytes });
}

function createOrdinaryRequests(operation: Operation, target: Target): Arbitrary<Drawn> {
  const credentials = fc.oneof(
    { weight: 24, arbitrary: fc.constant<Credentials>('secret') },
    { weight: operation.isQueryRequest ? 3 : 0, arbitrary: fc.constant<Credentials>('signature') },
    { weight: 6, arbitrary: fc.constantFrom(...KEY_NAMES) },
    { weight: 3, arbitrary: fc.constantFrom(...USELESS_CREDENTIALS) },
  );
  // An aborted write may or may not take effect, so writes are not aborted.
  const abortsAfter = isWrite(operation)
    ? fc.constant(undefined)
    : createOptional(30, fc.constantFrom(0, 1, 5, 20, 100));
  return fc.constantFrom(...operation.methods).chain((method) => {
    const encodings: Encoding[] = method === 'GET' ? ['query'] : ['form', 'form', 'form', 'json', 'json', 'query'];
    return fc.constantFrom(...encodings).chain((encoding) =>
      fc
        .record({
          operation: fc.constant(operation),
          method: fc.constant(method),
          encoding: fc.constant(encoding),
          inQuery: encoding === 'query' ? fc.constant(undefined) : createOptional(3, fc.nat(2 ** 30)),
          parameters: createParameters(operation, target, encoding === 'json'),
          credentials,
          body: method === 'GET' ? fc.constant(undefined) : createOptional(12, fc.constantFrom(...HOSTILE_BODIES)),
          abortsAfter,
        })
        .map(dropUndefined)
        // A write with a hostile body may or may not take effect, so it gets no parameters.
        .map((drawn) => (drawn.body !== undefined && isWrite(operation) ? { ...drawn, parameters: [] } : drawn)),
    );
  });
}

/** Generates requests for a page of people after a request for the first page, mostly with the same key and filter. */
function createPageRequests(operation: Operation, target: Target): Arbitrary<Drawn> {
  const isPageParameter = (name: string) => name === 'session_id' || name === 'page';
  const parameters = operation.parameters.filter(({ name }) => !isPageParameter(name));
  const first = createOrdinaryRequests({ ...operation, parameters }, target).map((drawn) => ({ ...drawn, operation }));
  const pages = fc.constantFrom(0, 1, 1, 2, 2, 3, 9_999);
  const likeness = fc.constantFrom('same', 'same', 'same', 'session', 'sender', 'filter');
  return fc.tuple(first, first, pages, likeness).map(([opener, other, page, like]) => {
    const inherited = like === 'session' ? [] : (like === 'filter' ? other : opener).parameters;
    return {
      ...other,
      ...(like !== 'sender' && { credentials: opener.credentials }),
      parameters: [...inherited, ['session_id', SESSION], ['page', String(page)]],
      opener,
    };
  });
}

function createParameters(
  { parameters, isQueryRequest }: Operation,
  target: Target,
  isJson: boolean,
): Arbitrary<Drawn['parameters']> {
  const createPair = (declared: Declared) => fc.tuple(fc.constant(declared.name), createValidValues(declared, target));
  const some = parameters.map((declared) => {
    const missing = { weight: declared.isRequired ? 1 : 60, arbitrary: fc.constant(undefined) };
    return fc.oneof({ weight: declared.isRequired ? 40 : 25, arbitrary: createPair(declared) }, missing);
  });
  const fitting = fc.tuple(...some).map((all) => all.filter((parameter) => parameter !== undefined));
  const unknown = fc.tuple(fc.constantFrom(...UNKNOWN), fc.constantFrom(...ODD_STRINGS));
  const callback = fc.tuple(fc.constant('callback'), fc.constantFrom(...CALLBACKS));
  const extras = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(unknown, { minLength: 1, maxLength: 3 }) },
    { weight: isQueryRequest ? 1 : 0, arbitrary: fc.tuple(callback) },
  );
  if (parameters.length === 0) return fc.tuple(fitting, extras).map((parts) => parts.flat());
  const extreme = fc
    .constantFrom(...parameters)
    .chain((declared) => fc.tuple(fc.constant(declared.name), createExtremeValues(declared, isJson)));
  const again = fc.constantFrom(...parameters).chain(createPair);
  const edges = fc.oneof(
    { weight: 22, arbitrary: fc.constant([]) },
    { weight: 8, arbitrary: fc.tuple(extreme) },
    { weight: 3, arbitrary: fc.tuple(extreme, extreme) },
  );
  return fc.tuple(fitting, edges, extras, createOptional(40, again)).map(([usual, odd, more, repeated]) => {
    const replaced = usual.filter(([name]) => !odd.some(([other]) => other === name));
    return [...replaced, ...odd, ...more, ...(repeated === undefined ? [] : [repeated])];
  });
}

function createOptional<Value>(times: number, values: Arbitrary<Value>): Arbitrary<Value | undefined> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
}

function dropUndefined(drawn: { readonly [Key in keyof Drawn]: Drawn[Key] | undefined }): Drawn {
  return Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)) as unknown as Drawn;
}
