import type { QueryParameters } from '../api/api.ts';
import type { OutputStream } from '../output-stream.ts';
import { funnelLines } from './funnel-lines.ts';
import { addictionLines, retentionLines } from './grid-lines.ts';
import { topEventLines, topPropertyLines } from './list-lines.ts';
import { peopleLines } from './people-lines.ts';
import { type ResultsAnswer, resultsLines, type SeriesAnswer, seriesLines } from './series-lines.ts';

/** Users of several buckets are not added up, for many are the same; nor are means. */
const adds = ({ type = 'general' }: QueryParameters) => type === 'general';

const LINES = {
  '/events': (out: OutputStream, answer: SeriesAnswer, asked: QueryParameters) =>
    seriesLines(out, answer, { adds: adds(asked), sorted: false }),
  '/events/top': topEventLines,
  '/events/names': (_: OutputStream, names: string[]) => names,
  '/events/properties': seriesBySize,
  '/events/properties/top': topPropertyLines,
  '/events/properties/values': (_: OutputStream, values: string[]) => values,
  '/funnels': funnelLines,
  '/segmentation': seriesBySize,
  '/segmentation/numeric': (out: OutputStream, answer: SeriesAnswer, asked: QueryParameters) =>
    seriesLines(out, answer, { adds: adds(asked), sorted: false }),
  '/segmentation/sum': (out: OutputStream, answer: ResultsAnswer) => resultsLines(out, answer, 'sum'),
  '/segmentation/average': (out: OutputStream, answer: ResultsAnswer) => resultsLines(out, answer, 'average'),
  '/retention': retentionLines,
  '/retention/addiction': addictionLines,
  '/engage': peopleLines,
} satisfies Record<string, (out: OutputStream, answer: never, asked: QueryParameters) => readonly string[]>;

/** An endpoint whose answers can be printed. */
export type AnsweredPath = keyof typeof LINES;

/** The answer of an endpoint as lines for a stream. */
export function answerLines(
  out: OutputStream,
  path: AnsweredPath,
  answer: unknown,
  asked: QueryParameters,
): readonly string[] {
  const lines = LINES[path] as (out: OutputStream, answer: unknown, asked: QueryParameters) => readonly string[];
  return lines(out, answer, asked);
}

function seriesBySize(out: OutputStream, answer: SeriesAnswer, asked: QueryParameters): string[] {
  return seriesLines(out, answer, { adds: adds(asked), sorted: true });
}
