import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import {
  assertBoolean,
  assertFunction,
  assertIterable,
  assertNumber,
  assertObject,
  assertParts,
  assertString,
  guardIf,
  optional,
} from '../../base/guard.ts';

/** A test case: an expression, the record to evaluate it on, and the expected result. */
export interface Vector {
  readonly id: string;
  readonly expr: string;
  /** The properties of the record. */
  readonly props: Readonly<Record<string, unknown>>;
  /** The properties of the user, if the record has one. */
  readonly user?: Readonly<Record<string, unknown>>;
  /** The time of the evaluation in Unix seconds. */
  readonly now?: number;
  /** The time zone of dates without one. Default: UTC. */
  readonly timeZone?: string;
  /** Whether the expression is evaluated as a filter, whose result is always a boolean: undefined counts as false. */
  readonly where?: boolean;
  readonly expect: Answer;
}

/** A result: a value, `{ undefined: true }`, or an error, whether it is raised on compiling or on evaluating. */
export interface Answer {
  readonly value?: unknown;
  readonly undefined?: true;
  readonly error?: 'syntax' | 'type';
}

/** A vector with a wrong result. */
export interface Failure {
  readonly vector: Vector;
  readonly actual: Answer;
}

/** The build writes the vectors next to this module. */
const FOLDER = new URL('./conformance/', import.meta.url);

const assertFolder = guardIf((value) => value instanceof URL, 'a URL');

/**
 * Returns the conformance vectors from a folder of `.ndjson.gz` files, by default those of the package.
 *
 * @throws {TypeError} if the folder is not a URL.
 */
export function readVectors(folder: URL = FOLDER): Vector[] {
  assertFolder(folder, 'folder');
  const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson.gz'));
  const texts = files.map((name) => gunzipSync(readFileSync(new URL(name, folder))).toString());
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line, withoutNegativeZero));
}

/**
 * Runs an implementation on every vector and returns those with a wrong result; an empty array means that all passed. The
 * implementation must return expected errors as `{ error: … }`. Any error that it throws ends the run.
 *
 * @throws {TypeError} if an argument or a result of the implementation has the wrong type.
 *
 * @example
 * const failures = runVectors(({ expr, props }) => ({ value: myEvaluate(expr, props) }));
 */
export function runVectors(answer: (vector: Vector) => Answer, vectors: Iterable<Vector> = readVectors()): Failure[] {
  assertFunction(answer, 'answer');
  assertIterable(vectors, 'vectors');
  const failures: Failure[] = [];
  for (const vector of vectors) {
    assertVector(vector, 'vectors[…]');
    const given = answer(vector);
    assertObject(given, 'answer(vector)', 'an object such as { value: 1 }');
    const actual = JSON.parse(JSON.stringify(given), withoutNegativeZero);
    if (!isDeepStrictEqual(actual, vector.expect)) failures.push({ vector, actual });
  }
  return failures;
}

function assertVector(vector: unknown, name: string): void {
  assertParts(vector, name, {
    id: assertString,
    expr: assertString,
    props: assertObject,
    user: optional(assertObject),
    now: optional(assertNumber),
    timeZone: optional(assertString),
    where: optional(assertBoolean),
    expect: assertObject,
  });
}

/** Replaces negative zero: the language does not distinguish it from zero (language, section 1). */
function withoutNegativeZero(_: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}
