import type { Witness } from '../../src/api/relate.ts';
import { parse } from '../../src/lang/syntax/parse.ts';
import {
  drawPair,
  drawValueFirstPair,
  drawValuePair,
  type Judged,
  judgeFilter,
  judgePair,
  judgeValues,
  VALUE_USES,
} from '../relation-law.ts';
import type { Case } from '../value-first.ts';

/**
 * Draws pairs of filters, by turns around few constants and around values, and judges their relations by records, and
 * those of values in each other use. Returns both filters of each pair with its witnesses: those of one time are one case.
 *
 * @throws {Error} for the first wrong relation.
 */
export function drawRelatedCases(seed: number, count: number): Case[] {
  return Array.from({ length: count }, (_, index) => drawRelated(seed + index)).flat();
}

function drawRelated(seed: number): Case[] {
  const pair = seed % 2 === 0 ? drawPair(seed) : drawValueFirstPair(seed);
  const values = VALUE_USES.map((use) => judgeValues(seed % 2 === 0 ? drawValuePair(seed) : pair, use));
  const judged = [judgePair(pair), judgeFilter(pair)].filter(isJudged);
  const mistake = [...judged, ...values].find((one) => one?.mistake !== undefined)?.mistake;
  if (mistake !== undefined)
    throw new Error(`${mistake}\nreproduce   npm run fuzz -- --relations --seed ${seed} --cases 1`);
  const witnesses = judged.flatMap((one) => one.witnesses);
  return [...new Set(witnesses.map(getTime))].flatMap((now) => {
    const records = witnesses.filter((witness) => getTime(witness) === now).map((witness) => ({ ...witness, now }));
    return [pair.left, pair.right].map((source) => ({ tree: parse(source), records }));
  });
}

function getTime({ now = 0 }: Witness): number {
  return now;
}

function isJudged(judged: Judged | undefined): judged is Judged {
  return judged !== undefined;
}
