import type { QueryParameters } from '../api/service-api.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderFunnel } from './funnel.ts';
import { renderAddiction, renderRetention } from './grids.ts';
import { renderTopEvents, renderTopProperties } from './lists.ts';
import { renderPeople } from './people.ts';
import { type ResultsAnswer, renderResults, renderSeries, type SeriesAnswer } from './series.ts';

/** Users of several buckets are not added up, for many are the same; nor are means. */
const adds = ({ type = 'general' }: QueryParameters) => type === 'general';

const LINES = {
  '/events': (out: OutputStream, answer: SeriesAnswer, asked: QueryParameters) =>
    renderSeries(out, answer, { adds: adds(asked), sorted: false }),
  '/events/top': renderTopEvents,
  '/events/names': (_: OutputStream, names: string[]) => names,
  '/events/properties': seriesBySize,
  '/events/properties/top': renderTopProperties,
  '/events/properties/values': (_: OutputStream, values: string[]) => values,
  '/funnels': renderFunnel,
  '/segmentation': seriesBySize,
  '/segmentation/numeric': (out: OutputStream, answer: SeriesAnswer, asked: QueryParameters) =>
    renderSeries(out, answer, { adds: adds(asked), sorted: false }),
  '/segmentation/sum': (out: OutputStream, answer: ResultsAnswer) => renderResults(out, answer, 'sum'),
  '/segmentation/average': (out: OutputStream, answer: ResultsAnswer) => renderResults(out, answer, 'average'),
  '/retention': renderRetention,
  '/retention/addiction': renderAddiction,
  '/engage': renderPeople,
} satisfies Record<string, (out: OutputStream, answer: never, asked: QueryParameters) => readonly string[]>;

/** An endpoint whose answers can be printed. */
export type AnsweredPath = keyof typeof LINES;

/** The answer of an endpoint as lines for a stream. */
export function renderAnswer(
  out: OutputStream,
  path: AnsweredPath,
  answer: unknown,
  asked: QueryParameters,
): readonly string[] {
  const lines = LINES[path] as (out: OutputStream, answer: unknown, asked: QueryParameters) => readonly string[];
  return lines(out, answer, asked);
}

function seriesBySize(out: OutputStream, answer: SeriesAnswer, asked: QueryParameters): string[] {
  return renderSeries(out, answer, { adds: adds(asked), sorted: true });
}
