import type { QueryParameters } from '../api/service-api.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderFunnel } from './funnel.ts';
import { renderAddiction, renderRetention } from './grids.ts';
import { renderTopEvents, renderTopProperties } from './lists.ts';
import { renderPeople } from './people.ts';
import { type ResultsAnswer, renderResults, renderSeries, type SeriesAnswer } from './series.ts';

/** Returns whether buckets can be added up. Unique users cannot, because buckets share users; nor can averages. */
const isAdditive = ({ type = 'general' }: QueryParameters) => type === 'general';

type Renderer<Answer> = (
  out: OutputStream,
  answer: Answer,
  parameters: QueryParameters,
  charted: boolean,
) => readonly string[];

const RENDERERS = {
  '/events': (out: OutputStream, answer: SeriesAnswer, parameters: QueryParameters, charted: boolean) =>
    renderSeries(out, answer, { adds: isAdditive(parameters), sorted: false, charted }),
  '/events/top': renderTopEvents,
  '/events/names': (_: OutputStream, names: string[]) => names,
  '/events/properties': renderSeriesBySize,
  '/events/properties/top': renderTopProperties,
  '/events/properties/values': (_: OutputStream, values: string[]) => values,
  '/funnels': renderFunnel,
  '/segmentation': renderSeriesBySize,
  '/segmentation/numeric': (out: OutputStream, answer: SeriesAnswer, parameters: QueryParameters, charted: boolean) =>
    renderSeries(out, answer, { adds: isAdditive(parameters), sorted: false, charted }),
  '/segmentation/sum': (out: OutputStream, answer: ResultsAnswer, _: QueryParameters, charted: boolean) =>
    renderResults(out, answer, 'sum', charted),
  '/segmentation/average': (out: OutputStream, answer: ResultsAnswer, _: QueryParameters, charted: boolean) =>
    renderResults(out, answer, 'average', charted),
  '/retention': renderRetention,
  '/retention/addiction': renderAddiction,
  '/engage': renderPeople,
} satisfies Record<string, Renderer<never>>;

/** An endpoint whose responses can be printed as tables. */
export type AnsweredPath = keyof typeof RENDERERS;

/**
 * Renders a response of an endpoint as lines for a stream.
 *
 * @param charted Whether to draw a chart of each series, for answers over time.
 */
export function renderAnswer(
  out: OutputStream,
  path: AnsweredPath,
  answer: unknown,
  parameters: QueryParameters,
  charted = false,
): readonly string[] {
  const render = RENDERERS[path] as Renderer<unknown>;
  return render(out, answer, parameters, charted);
}

function renderSeriesBySize(
  out: OutputStream,
  answer: SeriesAnswer,
  parameters: QueryParameters,
  charted: boolean,
): string[] {
  return renderSeries(out, answer, { adds: isAdditive(parameters), sorted: true, charted });
}
