import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { readBucketSize } from '../../queries/endpoints/series-parameters.ts';
import type { Bucket } from '../../queries/requests.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { type FunnelAnswer, renderFunnel } from './funnel.ts';
import { type RetentionAnswer, renderAddiction, renderRetention } from './grids.ts';
import { renderTopEvents, renderTopProperties } from './lists.ts';
import { renderPeople } from './people.ts';
import { type ResultsAnswer, renderResults, renderSeries, type SeriesAnswer, type SeriesStyle } from './series.ts';

/** How to render an answer, and the answers to further queries that its table shows. */
export interface Rendering {
  readonly parameters: QueryParameters;
  /** Whether to draw a chart of each series, for answers over time. */
  readonly charted?: boolean | undefined;
  /** For a funnel of several dates: the answer with one date for all. */
  readonly whole?: FunnelAnswer;
  /** For series of users or averages: the number of each over all dates. */
  readonly inAll?: ReadonlyMap<string, number>;
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
    renderRetention(out, answer, { bucket: readBucket(parameters), today }),
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

function renderSeriesInOrder(out: OutputStream, answer: SeriesAnswer, rendering: Rendering): string[] {
  return renderSeries(out, answer, { ...chooseStyle(rendering), sorted: false });
}

function renderSeriesBySize(out: OutputStream, answer: SeriesAnswer, rendering: Rendering): string[] {
  return renderSeries(out, answer, { ...chooseStyle(rendering), sorted: true });
}

function chooseStyle({ parameters, inAll, charted = false }: Rendering): Omit<SeriesStyle, 'sorted'> {
  const { type = 'general', unit = 'day' } = parameters;
  return { adds: type === 'general', unit, inAll, charted };
}

/** Returns the length of the intervals that a query asks for. */
function readBucket({ interval, unit }: QueryParameters): Bucket {
  return readBucketSize({
    interval: interval === undefined ? undefined : Number(interval),
    unit: unit === 'week' || unit === 'month' ? unit : undefined,
  });
}
