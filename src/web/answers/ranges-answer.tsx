import type { ComponentChildren } from 'preact';
import type { Answer, AnswerActions } from './answer.ts';
import { SeriesHead, SeriesPlot } from './lines-answer.tsx';
import { formatNumber } from './numbers.ts';
import { Disclosure, Nothing } from './parts.tsx';
import { Plot } from './plot.tsx';
import { nameNumber, readSeries, sortBySize } from './read-series.ts';

/** Shows how often a number is in each range, as a histogram. */
export function RangesAnswer({
  answer,
  actions,
  note,
}: {
  readonly answer: Answer;
  readonly actions: AnswerActions;
  readonly note?: ComponentChildren;
}) {
  const data = readSeries(answer);
  const { series } = data;
  const names = series.map(({ name }) => name.replace(' - ', '–'));
  const isKnown = series.every(({ total }) => total !== undefined);
  const longest = names.reduce((most, { length }) => Math.max(most, length), 0);
  const line = {
    name: data.measure === 'users' ? 'users' : data.measure,
    values: series.map(({ total }) => total ?? null),
    before: series.some(({ before }) => before !== undefined)
      ? series.map(({ totalBefore }) => totalBefore ?? null)
      : undefined,
  };
  const trend = { ...data, series: sortBySize(series) };
  if (series.length === 0)
    return (
      <>
        <SeriesHead answer={answer} data={data} note={note} />
        <Nothing>No event on these days has this number.</Nothing>
      </>
    );
  return (
    <>
      <SeriesHead answer={answer} data={data} note={note} />
      {isKnown ? (
        <Plot
          label={`Ranges of ${nameNumber(answer.parameters)}`}
          mark="bar"
          points={names}
          lines={[line]}
          chooseTicks={(step) => {
            const every = Math.max(1, Math.ceil((longest * 7 + 8) / step));
            return names.flatMap((text, at) => (at % every === 0 ? [{ at, text }] : []));
          }}
          format={formatNumber}
        />
      ) : (
        <SeriesPlot answer={answer} data={trend} actions={actions} />
      )}
      {isKnown && data.labels.length > 1 && (
        <Disclosure title="Over time">{() => <SeriesPlot answer={answer} data={trend} actions={actions} />}</Disclosure>
      )}
    </>
  );
}
