import type { AnswerProps } from './answer.ts';
import { formatNumber, formatPercent, formatSigned } from './numbers.ts';
import { Bar, Delta, Grid, Headline, Name, Nothing, Users } from './parts.tsx';

interface TopEvents {
  readonly events: readonly { readonly event: string; readonly amount: number; readonly percent_change: number }[];
}

/** Shows the top events of today, compared with yesterday up to the same time. */
export function TopAnswer({ answer, actions: { openUsers }, note }: AnswerProps) {
  const { events } = answer.result as TopEvents;
  const type = answer.parameters.get('type') ?? 'general';
  const [all, longest] = [
    events.reduce((sum, { amount }) => sum + amount, 0),
    events.reduce((most, { amount }) => Math.max(most, amount), 0),
  ];
  // Users with several events are counted for each.
  const isSum = type === 'general' || events.length === 0;
  const measured = { unique: 'unique users', average: 'events per user' }[type] ?? 'events';
  const rows = events.map(({ event, amount, percent_change: change }) => [
    <Name text={event} />,
    <Users of={{ kind: 'segment', name: event }} open={openUsers}>
      {formatNumber(amount)}
    </Users>,
    <Bar part={amount / longest} line={0}>
      {isSum ? formatPercent(amount, all, 1) : undefined}
    </Bar>,
    <Delta text={`${formatSigned(100 * change)} %`} />,
  ]);
  return (
    <>
      <Headline
        number={formatNumber(isSum ? all : (events[0]?.amount ?? 0))}
        words={
          isSum ? 'events today so far' : [measured, ' of ', <Name text={events[0]?.event ?? ''} />, ' today so far']
        }
        note={note}
      />
      {events.length === 0 ? (
        <Nothing>Nothing has happened today yet.</Nothing>
      ) : (
        <Grid
          label="Top events"
          columns={['Event', 'Today', isSum ? 'Share' : 'Compared', 'On yesterday by now']}
          rows={rows}
        />
      )}
    </>
  );
}
