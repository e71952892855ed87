import { LruCache } from '../../../base/lru-cache.ts';
import type { Checked } from '../../check/check.ts';
import { ExpressionTypeError } from '../../errors.ts';
import type { Closure, Engine } from '../../plan/engine.ts';
import { toFilterPlan, toPlan } from '../../plan/to-plan.ts';
import { type Properties, readProperty } from '../../value.ts';
import { Emitter } from './emitter.ts';
import { RUNTIME } from './runtime.ts';

/**
 * The engine that generates JavaScript with `new Function`. It is the fastest engine, where the environment allows it.
 *
 * Generated code never contains anything from the source of an expression. Constants and names are arguments, so all
 * expressions of one shape share the same compiled code.
 *
 * Compiling throws an {@link Error} if the environment forbids code generation from strings.
 *
 * @example
 * const isPro = compileWhere('properties["plan"] == "pro"', { engine: codegen });
 */
export const codegen: Engine = {
  toClosure(checked: Checked): Closure {
    const emitter = new Emitter(checked.source);
    return assemble(emitter, emitter.emitValue(toPlan(checked)));
  },
  toCondition(checked: Checked): Closure<boolean> {
    const emitter = new Emitter(checked.source);
    const expression = emitter.emitCondition(toFilterPlan(checked));
    return assemble(emitter, `${expression} && (sure || isSure(p, w))`);
  },
};

type Retry<Result> = (error: unknown, ...input: Parameters<Closure<Result>>) => Result;

/**
 * Creates a closure. `trusting` skips the checks for plain records, `retry` handles errors, and `rest` holds the names
 * of the properties that the closure reads, followed by its constants.
 */
type Factory<Result> = (trusting: boolean, retry: Retry<Result>, ...rest: readonly unknown[]) => Closure<Result>;

function assemble<Result>(emitter: Emitter, expression: string): Closure<Result> {
  const { constants, locals } = emitter;
  const names = locals.all.map(({ read }) => read.name);
  // The expression determines the rest of the generated code, so it can be the key.
  const factory = (factories.get(expression) ??
    factories.set(expression, makeFactory(generateFactory(emitter, expression)))) as Factory<Result>;
  let trusting: Closure<Result> | undefined;
  // Getters, proxies and prototypes can make the fast code fail. A copy with only the properties it reads has none.
  const retry: Retry<Result> = (error, properties, user, now) => {
    if (error instanceof ExpressionTypeError) throw error;
    trusting ??= factory(true, rethrow, ...names, ...constants);
    return trusting(copyProperties(properties, names), user === undefined ? user : copyProperties(user, names), now);
  };
  return factory(false, retry, ...names, ...constants);
}

function rethrow(error: unknown): never {
  throw error;
}

function copyProperties(record: Properties, names: readonly string[]): Properties {
  const own = Object.create(null);
  for (const name of names) own[name] = readProperty(record, name);
  return own;
}

function generateFactory({ locals, constants, temporaryCount }: Emitter, expression: string): string {
  const { all } = locals;
  const scopes = new Set(all.map(({ read }) => read.scope));
  const plain = [
    ...(scopes.has('properties') ? ['p.__proto__ === PLAIN'] : []),
    ...(scopes.has('user') ? ['w.__proto__ === PLAIN'] : []),
    ...all.map(({ index }) => `BARE[k${index}] === undefined`),
  ];
  const variables = [
    'sure = false',
    ...all.map(({ index, needsMarker }) => (needsMarker ? `v${index} = UNREAD` : `v${index}`)),
    ...numberNames('t', temporaryCount),
  ];
  const parameters = [...numberNames('k', all.length), ...numberNames('c', constants.length)];
  return `return (trusting, retry, ${parameters.join(', ')}) => {
  const isSure = (p, w) => {
    if (trusting || (${plain.join(' && ') || 'true'})) return true;
    throw UNSURE;
  };
  return (p, u, n) => {
    let ${variables.join(', ')};
    try {
      ${scopes.has('user') ? 'const w = u === undefined ? NO_USER : u;' : 'const w = NO_USER;'}
      return ${expression};
    } catch (error) {
      return retry(error, p, u, n);
    }
  };
};`;
}

function numberNames(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index}`);
}

const MAX_SHAPES = 1_000;

/** Limits the generated code in the cache, over all shapes. */
const MAX_CHARACTERS = 4_000_000;

const factories = new LruCache<Factory<unknown>>(MAX_CHARACTERS, MAX_SHAPES);

function makeFactory(code: string): Factory<unknown> {
  try {
    return new Function(...Object.keys(RUNTIME), code)(...Object.values(RUNTIME));
  } catch (cause) {
    if (!(cause instanceof EvalError)) throw cause;
    throw new Error('This environment forbids code generation from strings. Omit `engine: codegen` to use closures.', {
      cause,
    });
  }
}
