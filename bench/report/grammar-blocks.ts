import { readFileSync } from 'node:fs';
import { BenchError } from '../bench-error.ts';
import type { Revision } from '../history.ts';
import type { Block } from './blocks.ts';
import { formatNumber, renderMarkdownTable } from './table.ts';

/** Results for `docs/grammar.md` of grammar variants that are not in the sources. No command measures them again. */
interface GrammarResults extends Revision {
  readonly machine: { readonly node: string; readonly cores: number };
  readonly rounds: number;
  /** The best of all rounds: microseconds to parse each filter, milliseconds of the first parse, kilobytes gzipped. */
  readonly variants: readonly Variant[];
}

interface Variant {
  readonly name: string;
  readonly P1: number;
  readonly P2: number;
  readonly P3: number;
  readonly P4: number;
  readonly firstParse: number;
  readonly size: number;
  /** Milliseconds to create the lexer, if measured. */
  readonly lexer?: number;
}

const CODE = ['src/lang/syntax', 'scripts/trim-chevrotain.ts'];
const THIS = 'this grammar';
const BY_HAND = 'written by hand (18e64a6)';
const FILTERS = ['P1', 'P2', 'P3', 'P4'] as const;

/** Renders a table with a row per variant. */
export function renderGrammarVariants(results: string): Block {
  const { variants, rounds, machine, ...revision } = read(results);
  const rows = variants.map(({ name, firstParse, size, ...times }) => {
    const cells = [
      name,
      ...FILTERS.map((filter) => formatNumber(times[filter])),
      formatNumber(firstParse),
      `${formatNumber(size)} KB`,
    ];
    return name === THIS ? cells.map((cell) => `**${cell}**`) : cells;
  });
  const origin = `Measured at ${revision.commit.slice(0, 7)} on ${revision.date}: Node.js ${machine.node} on ${machine.cores} cores, minima of ${rounds} interleaved runs.`;
  const head = ['variant', ...FILTERS, 'first parse', 'gzipped'];
  const text = `\n\n${origin}\n\n${renderMarkdownTable(head, rows)}\n\n`;
  return { text, measured: [{ ...revision, code: CODE }] };
}

/** Renders the time to create the lexer, with and without the first characters of tokens. */
export function renderLexerTimes(results: string): Block {
  const { variants, ...revision } = read(results);
  const timeOf = (variant: string) => variants.find(({ name }) => name === variant)?.lexer ?? Number.NaN;
  const text = `${timeOf(THIS)} ms instead of ${timeOf('… without first characters')} ms`;
  return { text, measured: [{ ...revision, code: CODE }] };
}

/** Renders what the grammar costs, beside a parser written by hand. */
export function renderGrammarPrice(results: string): Block {
  const { variants, ...revision } = read(results);
  const compare = (key: 'P1' | 'firstParse' | 'size', unit: string) => {
    const [ours, byHand] = [THIS, BY_HAND].map((variant) => variants.find(({ name }) => name === variant)?.[key]);
    return `${ours} ${unit} instead of ${byHand}`;
  };
  const text = `One comparison parses in ${compare('P1', 'µs')}, the first parse of a process takes ${compare('firstParse', 'ms')}, and the parser has ${compare('size', 'KB')} gzipped (${revision.commit.slice(0, 7)}, ${revision.date}).`;
  return { text, measured: [{ ...revision, code: CODE }] };
}

function read(results: string): GrammarResults {
  if (results !== 'grammar') throw new BenchError(`The results "${results}" have no grammar variants.`);
  return JSON.parse(readFileSync(new URL('../results/grammar.json', import.meta.url), 'utf8'));
}
