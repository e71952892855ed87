import { LruCache } from '../base/lru-cache.ts';
import { type Callee, traceFrom } from '../lang/errors.ts';
import { assertSource } from '../lang/syntax/parse.ts';
import type { Value } from '../lang/value.ts';
import { assertOptions } from './arguments.ts';
import { type Compiled, type CompileOptions, compile, compileNumber, compileOn, compileWhere } from './expressions.ts';

/** Bounds the memory of a cache: a compiled function takes about six bytes per character of its source. */
const MAX_CHARACTERS = 4_000_000;

export interface CompileCacheOptions extends CompileOptions {
  /**
   * The maximum number of entries, at least 1; fewer are kept if their sources exceed 4,000,000 characters in total.
   * Default 1,000.
   */
  readonly max?: number;
}

/**
 * An LRU cache of compiled expressions. All entries share the options of the cache.
 *
 * Compiled functions keep no state, so callers can share them. The methods throw what the functions of the same names
 * throw. Errors are not cached.
 *
 * @example
 * const cache = new CompileCache({ max: 500 });
 * const isPro = cache.compileWhere('properties["plan"] == "pro"');
 */
export class CompileCache {
  readonly #options: CompileOptions;
  readonly #compiled: LruCache<Compiled<unknown>>;

  /** @throws {RangeError} if `max` is not an integer of at least 1. */
  constructor(cacheOptions: CompileCacheOptions = {}) {
    assertOptions(cacheOptions, ['engine', 'limits', 'max', 'now', 'schema', 'timeZone']);
    const { max = 1_000, ...options } = cacheOptions;
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new RangeError(`\`max\` must be an integer of at least 1, not ${max}`);
    }
    this.#options = options;
    this.#compiled = new LruCache(MAX_CHARACTERS, max);
  }

  /** Returns the cached result of {@link compile}. */
  compile(source: string): Compiled<Value> {
    return this.#get(this.compile, 'value', source, compile);
  }

  /** Returns the cached result of {@link compileWhere}. */
  compileWhere(source: string): Compiled<boolean> {
    return this.#get(this.compileWhere, 'where', source, compileWhere);
  }

  /** Returns the cached result of {@link compileOn}. */
  compileOn(source: string): Compiled<string[]> {
    return this.#get(this.compileOn, 'on', source, compileOn);
  }

  /** Returns the cached result of {@link compileNumber}. */
  compileNumber(source: string): Compiled<number> {
    return this.#get(this.compileNumber, 'number', source, compileNumber);
  }

  #get<Result>(
    callee: Callee,
    use: string,
    source: string,
    make: (source: string, options: CompileOptions) => Compiled<Result>,
  ) {
    assertSource(source, 'source');
    try {
      const key = `${use} ${source}`;
      return (this.#compiled.get(key) ?? this.#compiled.set(key, make(source, this.#options))) as Compiled<Result>;
    } catch (error) {
      throw traceFrom(callee, error);
    }
  }
}
