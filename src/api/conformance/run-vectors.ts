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
} from '../../lang/util/guard.ts';

/** A case: an expression, the record that it is evaluated on, and the answer. */
export interface Vector {
  readonly id: string;
  readonly expr: string;
  /** The properties of the record. */
  readonly props: Readonly<Record<string, unknown>>;
  /** The properties of its user; left out if there is none. */
  readonly user?: Readonly<Record<string, unknown>>;
  /** The time of the evaluation in Unix seconds. */
  readonly now?: number;
  /** Whether the expression is evaluated as a filter: true selects the record, false and undefined do not. */
  readonly where?: boolean;
  readonly expect: Answer;
}

/** A value, `{ undefined: true }`, or an error of either kind, whether compiling or evaluating raises it. */
export interface Answer {
  readonly value?: unknown;
  readonly undefined?: true;
  readonly error?: 'syntax' | 'type';
}

/** A case that an implementation answers differently. */
export interface Failure {
  readonly vector: Vector;
  readonly actual: Answer;
}

/** Where the build writes the files, beside this module. */
const FOLDER = new URL('./conformance/', import.meta.url);

const assertFolder = guardIf((value) => value instanceof URL, 'a URL');

/**
 * Reads the conformance vectors from a folder of `.ndjson.gz` files, by default those of the package.
 *
 * @throws {TypeError} for a folder that is no URL.
 */
export function readVectors(folder: URL = FOLDER): Vector[] {
  assertFolder(folder, 'folder');
  const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson.gz'));
  const texts = files.map((name) => gunzipSync(readFileSync(new URL(name, folder))).toString());
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line, withoutNegativeZero));
}

/**
 * Runs an implementation on every vector and returns the cases that it answers differently. An implementation that passes
 * returns its own errors as answers; whatever else it throws ends the run.
 *
 * @throws {TypeError} for an argument or an answer of another type.
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
    where: optional(assertBoolean),
    expect: assertObject,
  });
}

/** Negative zero is not told apart from zero (language, section 1). */
function withoutNegativeZero(_: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}
