import type { QueryParameters } from '../api/service-api.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { type FunnelAnswer, renderFunnel } from './funnel.ts';
import { type RetentionAnswer, renderAddiction, renderRetention } from './grids.ts';
import { readIntervalSize } from './intervals.ts';
import { renderTopEvents, renderTopProperties } from './lists.ts';
import { renderPeople } from './people.ts';
import { type ResultsAnswer, renderResults, renderSeries, type SeriesAnswer } from './series.ts';

/** Returns whether buckets can be added up. Unique users cannot, because buckets share users; nor can averages. */
const isAdditive = ({ type = 'general' }: QueryParameters) => type === 'general';

/** How to render an answer, and the answers to further queries that its table shows. */
export interface Rendering {
  readonly parameters: QueryParameters;
  /** Whether to draw a chart of each series, for answers over time. */
  readonly charted?: boolean | undefined;
  /** For a funnel of several dates: the answer with one date for all. */
  readonly whole?: FunnelAnswer;
  /** For retention: the local date of the present, `yyyy-mm-dd`. */
  readonly today?: string;
}

type Renderer<Answer> = (out: OutputStream, answer: Answer, rendering: Rendering) => readonly string[];

const RENDERERS = {
  '/events': renderSeriesInOrder,
  '/events/top': renderTopEvents,
  '/events/names': (_: OutputStream, names: string[]) => names,
  '/events/properties': renderSeriesBySize,
  '/events/properties/top': renderTopProperties,
  '/events/properties/values': (_: OutputStream, values: string[]) => values,
  '/funnels': (out: OutputStream, answer: FunnelAnswer, { whole = answer }: Rendering) =>
    renderFunnel(out, answer, whole),
  '/segmentation': renderSeriesBySize,
  '/segmentation/numeric': renderSeriesInOrder,
  '/segmentation/sum': (out: OutputStream, answer: ResultsAnswer, { charted = false }: Rendering) =>
    renderResults(out, answer, 'sum', charted),
  '/segmentation/average': (out: OutputStream, answer: ResultsAnswer, { charted = false }: Rendering) =>
    renderResults(out, answer, 'average', charted),
  '/retention': (out: OutputStream, answer: RetentionAnswer, { parameters, today = '9999-12-31' }: Rendering) =>
    renderRetention(out, answer, { size: readIntervalSize(parameters), today }),
  '/retention/addiction': renderAddiction,
  '/engage': renderPeople,
} satisfies Record<string, Renderer<never>>;

/** An endpoint whose responses can be printed as tables. */
export type AnsweredPath = keyof typeof RENDERERS;

/** Renders a response of an endpoint as lines for a stream. */
export function renderAnswer(
  out: OutputStream,
  path: AnsweredPath,
  answer: unknown,
  rendering: Rendering,
): readonly string[] {
  const render = RENDERERS[path] as Renderer<unknown>;
  return render(out, answer, rendering);
}

function renderSeriesInOrder(
  out: OutputStream,
  answer: SeriesAnswer,
  { parameters, charted = false }: Rendering,
): string[] {
  return renderSeries(out, answer, { adds: isAdditive(parameters), sorted: false, charted });
}

function renderSeriesBySize(
  out: OutputStream,
  answer: SeriesAnswer,
  { parameters, charted = false }: Rendering,
): string[] {
  return renderSeries(out, answer, { adds: isAdditive(parameters), sorted: true, charted });
}
