import type { QueryParameters } from '../api/service-api.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderFunnel } from './funnel.ts';
import { renderAddiction, renderRetention } from './grids.ts';
import { renderTopEvents, renderTopProperties } from './lists.ts';
import { renderPeople } from './people.ts';
import { type ResultsAnswer, renderResults, renderSeries, type SeriesAnswer } from './series.ts';

/** Returns whether buckets can be added up. Unique users cannot, because buckets share users; nor can averages. */
const isAdditive = ({ type = 'general' }: QueryParameters) => type === 'general';

const RENDERERS = {
  '/events': (out: OutputStream, answer: SeriesAnswer, parameters: QueryParameters) =>
    renderSeries(out, answer, { adds: isAdditive(parameters), sorted: false }),
  '/events/top': renderTopEvents,
  '/events/names': (_: OutputStream, names: string[]) => names,
  '/events/properties': renderSeriesBySize,
  '/events/properties/top': renderTopProperties,
  '/events/properties/values': (_: OutputStream, values: string[]) => values,
  '/funnels': renderFunnel,
  '/segmentation': renderSeriesBySize,
  '/segmentation/numeric': (out: OutputStream, answer: SeriesAnswer, parameters: QueryParameters) =>
    renderSeries(out, answer, { adds: isAdditive(parameters), sorted: false }),
  '/segmentation/sum': (out: OutputStream, answer: ResultsAnswer) => renderResults(out, answer, 'sum'),
  '/segmentation/average': (out: OutputStream, answer: ResultsAnswer) => renderResults(out, answer, 'average'),
  '/retention': renderRetention,
  '/retention/addiction': renderAddiction,
  '/engage': renderPeople,
} satisfies Record<string, (out: OutputStream, answer: never, parameters: QueryParameters) => readonly string[]>;

/** An endpoint whose responses can be printed as tables. */
export type AnsweredPath = keyof typeof RENDERERS;

/** Renders a response of an endpoint as lines for a stream. */
export function renderAnswer(
  out: OutputStream,
  path: AnsweredPath,
  answer: unknown,
  parameters: QueryParameters,
): readonly string[] {
  const render = RENDERERS[path] as (
    out: OutputStream,
    answer: unknown,
    parameters: QueryParameters,
  ) => readonly string[];
  return render(out, answer, parameters);
}

function renderSeriesBySize(out: OutputStream, answer: SeriesAnswer, parameters: QueryParameters): string[] {
  return renderSeries(out, answer, { adds: isAdditive(parameters), sorted: true });
}
