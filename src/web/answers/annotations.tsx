import type { TargetedSubmitEvent } from 'preact';
import type { AnswerActions, ChartAnnotation } from './answer.ts';
import { formatBucketTitle } from './days.ts';
import { Name } from './parts.tsx';

interface AnnotationsProps {
  readonly annotations: readonly ChartAnnotation[];
  /** The first day of the chart. */
  readonly day: string;
  readonly annotate: AnswerActions['annotate'];
}

/** Lists the annotations of a chart, and adds one at the start of a day. */
export function Annotations({ annotations, day, annotate }: AnnotationsProps) {
  const add = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const description = String(given.get('description')).trim();
    if (description === '') return;
    annotate?.({ date: `${given.get('day')} 00:00:00`, description });
    event.currentTarget.reset();
  };
  return (
    <details class="disclosure annotations" open={annotations.length > 0}>
      <summary>Annotations ({annotations.length})</summary>
      <ul>
        {annotations.map(({ date, description }) => (
          <li key={`${date} ${description}`}>
            <time dateTime={date.replace(' ', 'T')}>
              {formatBucketTitle(date, { unit: date.endsWith(' 00:00:00') ? 'day' : 'minute' }, day)}
            </time>{' '}
            <Name text={description} />
          </li>
        ))}
      </ul>
      {annotate !== undefined && (
        <form class="row" onSubmit={add}>
          <input name="day" type="date" aria-label="Day of the annotation" required defaultValue={day} />
          <input name="description" aria-label="Text of the annotation" placeholder="What happened" required />
          <button type="submit">Annotate</button>
        </form>
      )}
    </details>
  );
}
