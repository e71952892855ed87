import type { QueryParameters } from '../api/api.ts';
import { funnelLines } from './funnel-lines.ts';
import { addictionLines, retentionLines } from './grid-lines.ts';
import { topEventLines, topPropertyLines } from './list-lines.ts';
import { peopleLines } from './people-lines.ts';
import { type ResultsAnswer, resultsLines, type SeriesAnswer, seriesLines } from './series-lines.ts';

/** Users of several buckets are not added up, for many are the same; nor are means. */
const adds = ({ type = 'general' }: QueryParameters) => type === 'general';

const LINES = {
  '/events': (answer: SeriesAnswer, asked: QueryParameters) =>
    seriesLines(answer, { adds: adds(asked), sorted: false }),
  '/events/top': topEventLines,
  '/events/names': (names: string[]) => names,
  '/events/properties': seriesBySize,
  '/events/properties/top': topPropertyLines,
  '/events/properties/values': (values: string[]) => values,
  '/funnels': funnelLines,
  '/segmentation': seriesBySize,
  '/segmentation/numeric': (answer: SeriesAnswer, asked: QueryParameters) =>
    seriesLines(answer, { adds: adds(asked), sorted: false }),
  '/segmentation/sum': (answer: ResultsAnswer) => resultsLines(answer, 'sum'),
  '/segmentation/average': (answer: ResultsAnswer) => resultsLines(answer, 'average'),
  '/retention': retentionLines,
  '/retention/addiction': addictionLines,
  '/engage': peopleLines,
} satisfies Record<string, (answer: never, asked: QueryParameters) => readonly string[]>;

/** An endpoint whose answers can be printed. */
export type AnsweredPath = keyof typeof LINES;

/** The answer of an endpoint as lines for standard output. */
export function answerLines(path: AnsweredPath, answer: unknown, asked: QueryParameters): readonly string[] {
  const lines = LINES[path] as (answer: unknown, asked: QueryParameters) => readonly string[];
  return lines(answer, asked);
}

function seriesBySize(answer: SeriesAnswer, asked: QueryParameters): string[] {
  return seriesLines(answer, { adds: adds(asked), sorted: true });
}
