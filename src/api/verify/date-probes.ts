import { expression, quote } from '../../lang/syntax/template.ts';
import { createRecords, FILTER, type ProbeGroup, VALUE, X } from './probe-group.ts';
import { TIMES, TRICKY_DATES } from './probe-values.ts';

/** Days on which the clocks of the time zone change: by an hour, by half an hour, at midnight, and by a whole day. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'Europe/Berlin': ['2025-03-30', '2025-10-26', '1945-05-24', '2500-03-28'],
  'America/St_Johns': ['2025-03-09', '2025-11-02', '2006-04-02', '2006-10-29'],
  'America/Santiago': ['2025-04-05', '2025-04-06', '2025-09-07'],
  'Australia/Lord_Howe': ['2025-04-06', '2025-10-05'],
  'Pacific/Apia': ['2011-12-29', '2011-12-30', '2011-12-31'],
  'Asia/Kathmandu': ['1985-12-31', '1986-01-01'],
};

/** Times of a day between which clocks change, and the seconds next to a change. */
// biome-ignore format: data, to be read by its rows
const CLOCK = [
  '00:00:00', '00:00:30', '00:01:00', '00:14:59', '00:15:00', '00:30:00', '00:59:59', '01:00:00', '01:30:00', '01:59:59',
  '02:00:00', '02:15:00', '02:30:00', '02:59:59', '03:00:00', '03:30:00', '23:00:00', '23:30:00', '23:59:59',
];

/** Returns probes of dates without an offset, which are local times of the time zone of the query. */
function createZoneProbes(): ProbeGroup[] {
  return Object.entries(CHANGES).map(([timeZone, days]) => {
    const times = days.flatMap((day) => CLOCK.map((time) => `${day}T${time}`));
    return {
      about: 'dates in a time zone',
      timeZone,
      records: createRecords([...times, ...days, ...TRICKY_DATES, undefined].map((x) => ({ x }))),
      // Each contains the offsets of the zone, and ClickHouse limits the length of a statement.
      expressions: [
        expression`datetime(${X})`,
        ...days.slice(0, 2).map((day) => expression`${X} >= datetime(${`${day}T02:30:00`})`),
      ],
      uses: ['value', 'where'],
    };
  });
}

/** Creates probes of dates and times, in UTC and in time zones. */
export function createDateProbes(): ProbeGroup[] {
  return [
    {
      about: 'dates',
      records: createRecords([...TRICKY_DATES, ...TIMES, null, true, [], undefined].map((x) => ({ x }))),
      expressions: [
        expression`datetime(${X})`,
        expression`datetime(string(${X}))`,
        ...['2025-01-01', '1970-01-01', '0000-01-01', '9999-12-31T23:59:59'].flatMap((date) =>
          ['==', '!=', '<', '<=', '>', '>='].map((name) => `properties["x"] ${name} datetime(${quote(date)})`),
        ),
        expression`datetime(${X}) > now - 86400`,
        expression`now - datetime(${X})`,
      ],
      uses: VALUE,
    },
    {
      about: 'dates as filters',
      records: createRecords([...TRICKY_DATES, ...TIMES, null, true, [], undefined].map((x) => ({ x }))),
      expressions: [
        expression`${X} >= datetime("2025-01-01")`,
        expression`${X} < datetime("2025-01-01T10:00:00Z") and ${X} > datetime("1969-12-31")`,
        expression`not (${X} == datetime("2025-01-01T10:00:00"))`,
      ],
      uses: FILTER,
    },
    ...createZoneProbes(),
  ];
}
