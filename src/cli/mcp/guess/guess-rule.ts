import type { Schema } from '../../../lang/check/schema.ts';
import type { MaskedSource } from './masked-source.ts';

/** A way to write what a filter may mean. Returns the source unchanged if it does not apply. */
export interface GuessRule {
  /** A sentence for the author, who has to confirm it. */
  readonly assumption: string;
  /** Rewrites the whole source. */
  rewrite?(source: string, schema: Schema | undefined): string;
  /** Rewrites the source outside of strings, which are masked. */
  rewriteCode?(code: string, strings: MaskedSource['strings'], schema: Schema | undefined): string;
}
