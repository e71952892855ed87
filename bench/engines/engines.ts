import { BUFBUILD_CEL } from '../peers/bufbuild-cel.ts';
import { DUCKDB } from '../peers/duckdb.ts';
import { FILTREX } from '../peers/filtrex.ts';
import { JEXL } from '../peers/jexl.ts';
import { JSON_LOGIC_ENGINE } from '../peers/json-logic-engine.ts';
import { JSONATA } from '../peers/jsonata.ts';
import { MARCBACHMANN_CEL } from '../peers/marcbachmann-cel.ts';
import { SIFT } from '../peers/sift.ts';
import { SUBSCRIPT } from '../peers/subscript.ts';
import { VEGA_EXPRESSION } from '../peers/vega-expression.ts';
import { BY_HAND } from './by-hand.ts';
import type { Engine } from './engine.ts';
import { ONWHERE } from './onwhere.ts';

/** All compared engines, in the order of the tables. */
export const ENGINES: readonly Engine[] = [
  ...BY_HAND,
  ...ONWHERE,
  VEGA_EXPRESSION,
  SUBSCRIPT,
  JSON_LOGIC_ENGINE,
  FILTREX,
  SIFT,
  MARCBACHMANN_CEL,
  BUFBUILD_CEL,
  JEXL,
  JSONATA,
  ...DUCKDB,
];

/** Returns the engine with a name. */
export function findEngine(name: string): Engine {
  const found = ENGINES.find((engine) => engine.name === name);
  if (found === undefined) throw new Error(`There is no engine "${name}".`);
  return found;
}
