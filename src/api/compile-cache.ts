import { assertSource } from '../lang/syntax/parse.ts';
import { LruCache } from '../lang/util/lru-cache.ts';
import type { Value } from '../lang/value.ts';
import { assertOptions } from './arguments.ts';
import { type Compiled, type CompileOptions, compile, compileNumber, compileOn, compileWhere } from './expressions.ts';

/** A compiled function takes about six bytes for each character of its source. */
const MAX_CHARACTERS = 4_000_000;

export interface CompileCacheOptions extends CompileOptions {
  /** How many compiled functions are kept, at least 1; fewer if their sources exceed 4,000,000 characters. Default 1,000. */
  readonly most?: number;
}

/**
 * Compiles what it is asked for, each source once as long as it is among those asked for last. All that share it share its options;
 * what it gives keeps no state, so that one function serves them all. Its methods throw what the functions of their names throw, each
 * time: errors are not kept.
 */
export class CompileCache {
  readonly #options: CompileOptions;
  readonly #compiled: LruCache<Compiled<unknown>>;

  /** @throws {RangeError} for a bound that is no whole number from 1 on. */
  constructor(cacheOptions: CompileCacheOptions = {}) {
    assertOptions(cacheOptions, ['engine', 'limits', 'most', 'now', 'schema']);
    const { most = 1_000, ...options } = cacheOptions;
    if (!Number.isSafeInteger(most) || most < 1) {
      throw new RangeError(`\`most\` must be a whole number from 1 on, not ${most}`);
    }
    this.#options = options;
    this.#compiled = new LruCache(most, MAX_CHARACTERS);
  }

  /** As {@link compile}. */
  compile(source: string): Compiled<Value> {
    return this.#get('value', source, compile);
  }

  /** As {@link compileWhere}. */
  compileWhere(source: string): Compiled<boolean> {
    return this.#get('where', source, compileWhere);
  }

  /** As {@link compileOn}. */
  compileOn(source: string): Compiled<string[]> {
    return this.#get('on', source, compileOn);
  }

  /** As {@link compileNumber}. */
  compileNumber(source: string): Compiled<number> {
    return this.#get('number', source, compileNumber);
  }

  #get<A>(use: string, source: string, make: (source: string, options: CompileOptions) => Compiled<A>) {
    assertSource(source, 'source');
    return this.#compiled.get(`${use} ${source}`, () => make(source, this.#options)) as Compiled<A>;
  }
}
