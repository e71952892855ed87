import { BenchError } from '../bench-error.ts';
import type { Revision } from '../history.ts';
import { renderFilterSets } from './filter-sets-block.ts';
import { renderGrammarPrice, renderGrammarVariants, renderLexerTimes } from './grammar-blocks.ts';
import { MEASURED, RECORDED } from './markers.ts';
import { renderSizes } from './size-block.ts';
import { renderSpeedBlock } from './speed-block.ts';

/** A measurement of some code at a revision. */
export interface Measured extends Omit<Revision, 'date'> {
  /** The measured files and folders. */
  readonly code: readonly string[];
}

/** A part of a page that shows measurements. */
export interface Block {
  readonly text: string;
  readonly measured: readonly Measured[];
}

/** The blocks that pages can show, by the name after the slash in `<!-- measured <results>/<name> -->`. */
const BLOCKS: Readonly<Record<string, (results: string, root: string) => Block>> = {
  speed: renderSpeedBlock,
  variants: renderGrammarVariants,
  price: renderGrammarPrice,
  lexer: renderLexerTimes,
  matching: renderFilterSets,
  growth: renderSizes,
};

/** Returns a page with each block between its markers. `path` is that of the page in the repository. */
export function fillBlocks(page: string, path: string): string {
  const root = '../'.repeat(path.split('/').length - 1);
  return page.replace(
    MEASURED,
    (_, start, results, name, end) => `${start}${findBlock(name)(results, root).text}${end}`,
  );
}

/** Returns the measurements that a page shows: those of its blocks and of its recorded experiments. */
export function findMeasured(page: string): (Measured & { readonly title: string })[] {
  const shown = [...page.matchAll(MEASURED)].flatMap(([, , results = '', name = '']) =>
    findBlock(name)(results, '').measured.map((one) => ({ ...one, title: `${results}/${name}` })),
  );
  const recorded = [...page.matchAll(RECORDED)].map(([, commit = '', path = '']) => ({
    title: `The experiment with ${path}`,
    commit,
    code: [path],
  }));
  return [...shown, ...recorded];
}

function findBlock(name: string): (results: string, root: string) => Block {
  const block = BLOCKS[name];
  if (block === undefined) throw new BenchError(`Pages can show ${Object.keys(BLOCKS).join(', ')}, not "${name}".`);
  return block;
}
