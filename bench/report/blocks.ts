import { BenchError } from '../bench-error.ts';
import type { Revision } from '../history.ts';
import { grammarVariants, lexerTimes } from './grammar-blocks.ts';
import { speedBlock } from './speed-block.ts';

/** Code that was measured at some revision. */
export interface Measured extends Pick<Revision, 'commit' | 'date' | 'dirty'> {
  /** The files and folders of the project that the measurement is about. */
  readonly code: readonly string[];
}

/** A part of a page that shows measurements. */
export interface Block {
  readonly text: string;
  readonly measured: readonly Measured[];
}

/** What pages can show of some results, by the name after the slash in `<!-- measured <results>/<name> -->`. */
const BLOCKS: Readonly<Record<string, (results: string) => Block>> = {
  speed: speedBlock,
  variants: grammarVariants,
  lexer: lexerTimes,
};

const MARKED = /(<!-- measured (\S+)\/(\S+) -->)[\s\S]*?(<!-- \/measured -->)/g;

/** The page with each block between its markers. */
export function withBlocks(page: string): string {
  return page.replace(MARKED, (_, start, results, name, end) => `${start}${blockNamed(name)(results).text}${end}`);
}

/** The page with nothing between the markers of its blocks. */
export function withoutBlocks(page: string): string {
  return page.replace(MARKED, '');
}

/** What the blocks of a page show, each as `<results>/<name>`. */
export function blocksIn(page: string): { readonly title: string; readonly block: Block }[] {
  return [...page.matchAll(MARKED)].map(([, , results = '', name = '']) => ({
    title: `${results}/${name}`,
    block: blockNamed(name)(results),
  }));
}

function blockNamed(name: string): (results: string) => Block {
  const block = BLOCKS[name];
  if (block === undefined) throw new BenchError(`Pages can show ${Object.keys(BLOCKS).join(', ')}, not "${name}".`);
  return block;
}
