import type { Checked } from '../../check/check.ts';
import { ExpressionTypeError } from '../../errors.ts';
import type { Closure, Engine } from '../../plan/engine.ts';
import { toFilterPlan, toPlan } from '../../plan/to-plan.ts';
import { LruCache } from '../../util/lru-cache.ts';
import { type Properties, readProperty } from '../../value.ts';
import { Emitter } from './emitter.ts';
import type { PropertyLocal } from './property-locals.ts';
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
    return assemble(emitter, emitter.value(toPlan(checked)));
  },
  toCondition(checked: Checked): Closure<boolean> {
    const emitter = new Emitter(checked.source);
    const answer = emitter.judged(toFilterPlan(checked));
    return assemble(emitter, `${answer} && (sure || isSure(p, w))`);
  },
};

type Again<A> = (error: unknown, ...input: Parameters<Closure<A>>) => A;

/** Takes whether records are known to be plain, what to do with errors, the names that are read and the constants. */
type Factory<A> = (trusting: boolean, again: Again<A>, ...rest: readonly unknown[]) => Closure<A>;

function assemble<A>({ slots, constants, temporaries }: Emitter, answer: string): Closure<A> {
  const { all } = slots;
  const names = all.map(({ read }) => read.name);
  // The answer has everything in it that the rest of the text depends on.
  const factory = factories.get(answer, () => {
    return makeFactory(textOf(all, constants.length, temporaries, answer));
  }) as Factory<A>;
  let trusting: Closure<A> | undefined;
  // Whatever a record does to be read, and whatever it is, a copy of what it has does not do.
  const again: Again<A> = (error, properties, user, now) => {
    if (error instanceof ExpressionTypeError) throw error;
    trusting ??= factory(true, rethrow, ...names, ...constants);
    return trusting(copy(properties, names), user === undefined ? user : copy(user, names), now);
  };
  return factory(false, again, ...names, ...constants);
}

function rethrow(error: unknown): never {
  throw error;
}

function copy(record: Properties, names: readonly string[]): Properties {
  const own = Object.create(null);
  for (const name of names) own[name] = readProperty(record, name);
  return own;
}

function textOf(slots: readonly PropertyLocal[], constants: number, temporaries: number, answer: string): string {
  const scopes = new Set(slots.map(({ read }) => read.scope));
  const plain = [
    ...(scopes.has('properties') ? ['p.__proto__ === PLAIN'] : []),
    ...(scopes.has('user') ? ['w.__proto__ === PLAIN'] : []),
    ...slots.map(({ index }) => `BARE[k${index}] === undefined`),
  ];
  const variables = [
    'sure = false',
    ...slots.map(({ index, marked }) => (marked ? `v${index} = UNREAD` : `v${index}`)),
    ...numbered('t', temporaries),
  ];
  return `return (trusting, again, ${[...numbered('k', slots.length), ...numbered('c', constants)].join(', ')}) => {
  const isSure = (p, w) => {
    if (trusting || (${plain.join(' && ') || 'true'})) return true;
    throw UNSURE;
  };
  return (p, u, n) => {
    let ${variables.join(', ')};
    try {
      ${scopes.has('user') ? 'const w = u === undefined ? NOBODY : u;' : 'const w = NOBODY;'}
      return ${answer};
    } catch (error) {
      return again(error, p, u, n);
    }
  };
};`;
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index}`);
}

const MAX_SHAPES = 1_000;

/** The most characters of generated code that are kept, all shapes together. */
const MAX_CHARACTERS = 4_000_000;

const factories = new LruCache<Factory<unknown>>(MAX_SHAPES, MAX_CHARACTERS);

function makeFactory(text: string): Factory<unknown> {
  try {
    return new Function(...Object.keys(RUNTIME), text)(...Object.values(RUNTIME));
  } catch (cause) {
    if (!(cause instanceof EvalError)) throw cause;
    throw new Error('Code must not be made from text here: leave out the engine `codegen`, and closures are made', {
      cause,
    });
  }
}
