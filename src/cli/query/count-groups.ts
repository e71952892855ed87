import { getBucket, getOffsets, type TimeUnit } from '../../data/buckets.ts';
import type { MissingField } from '../../data/event-record.ts';
import { type CountedSegments, Segmentation } from '../../data/segmentation.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { foldSteps } from '../../lang/operators/zone-offsets.ts';
import type { Job } from '../workers/job.ts';
import type { FileDatabase, FileRow } from './file-database.ts';
import type { JudgedSql } from './lower-task.ts';

export type GroupedTask = Job<'count' | 'segment'>;

/** The counts of a job in a database. */
export interface Grouped {
  /** The job `count` has one segment with an empty name. */
  readonly segments: CountedSegments;
  /** The number of skipped records by the field that they lack. */
  readonly lacking: { time: number; distinct_id: number };
  /** The number of records that raise each type error, by its number. */
  readonly failures: Map<number, number>;
}

/** How groups count: records, the number of users, or one group per user. */
type Counting = 'records' | 'users' | 'user';

/** Counts the records or users of a job. Tables can share users, so only a single table counts them itself. */
export async function countGroups(
  engine: FileDatabase,
  task: GroupedTask,
  judged: JudgedSql,
  isAlone: boolean,
): Promise<Grouped> {
  const counting = !task.unique ? 'records' : isAlone ? 'users' : 'user';
  const groups = new Groups(counting, getUnit(task));
  for await (const rows of engine.stream(buildSql(task, judged, counting), judged.parameters)) {
    for (const row of rows) groups.add(row);
  }
  const { lacking, failures } = groups;
  return { segments: groups.segmentation.take(), lacking, failures };
}

function getUnit(task: GroupedTask): TimeUnit | undefined {
  return task.kind === 'segment' ? task.unit : undefined;
}

function buildSql(task: GroupedTask, { failure, segment, segments, rest }: JudgedSql, counting: Counting): string {
  const unit = getUnit(task);
  const lacking = [
    'WHEN failure IS NOT NULL THEN NULL',
    ...(unit === undefined ? [] : [`WHEN "time" IS NULL THEN 'time'`]),
    ...(task.unique ? [`WHEN "user" IS NULL THEN 'distinct_id'`] : []),
  ];
  const isCounted = 'failure IS NULL AND lacking IS NULL';
  const name = segments === undefined ? 'name' : `unnest(CASE WHEN ${isCounted} THEN name ELSE [''] END)`;
  const local = `CAST(floor("time") AS BIGINT)${unit === undefined ? '' : lowerOffset(unit, task.timeZone)}`;
  const start = `epoch(date_trunc('${unit}', make_timestamp((${local}) * 1000000)))`;
  const keys = `failure, lacking, name${counting === 'user' ? ', "user"' : ''}`;
  const hasTotals = counting === 'users' && unit !== undefined;
  // The driver strips U+FEFF from the start of a string. The prefix `=` protects names and users.
  return `WITH
    judged AS (SELECT ${failure} AS failure, ${segments ?? segment ?? "''"} AS name, "time", "user" ${rest}),
    complete AS (SELECT *, CASE ${lacking.join(' ')} END AS lacking FROM judged),
    cut AS (
      SELECT failure, lacking, '=' || "user" AS "user", '=' || ${name} AS name,
        ${unit === undefined ? 'NULL' : `CASE WHEN ${isCounted} THEN ${start} END`} AS bucket
      FROM complete
    )
    SELECT ${keys}, bucket, GROUPING(bucket) AS "is total", count(*) AS records,
      ${counting === 'users' ? 'count(DISTINCT "user")' : 'count(*)'} AS counted
    FROM cut GROUP BY GROUPING SETS ((${keys}, bucket)${hasTotals ? `, (${keys})` : ''})`;
}

/** Returns SQL that adds the offset of a time zone to a time, as it counts for a unit. */
function lowerOffset(unit: TimeUnit, name = 'UTC'): string {
  const timeZone = findTimeZone(name);
  if (timeZone === undefined) return '';
  const branch = (limit: number, below: string, above: string) =>
    `CASE WHEN "time" < ${limit} THEN ${below} ELSE ${above} END`;
  return ` + ${foldSteps(getOffsets(timeZone, unit), String, branch)}`;
}

/** Combines the result rows of a database. Their buckets are local. */
class Groups {
  readonly lacking = { time: 0, distinct_id: 0 };
  readonly failures = new Map<number, number>();
  readonly segmentation: Segmentation;

  constructor(
    private readonly counting: Counting,
    private readonly unit: TimeUnit | undefined,
  ) {
    this.segmentation = new Segmentation(counting === 'user', unit);
  }

  add(row: FileRow): void {
    const { counting, unit } = this;
    const isTotal = Number(row['is total']) === 1;
    const records = isTotal ? 0 : Number(row.records);
    if (row.failure !== null) {
      const failure = Number(row.failure);
      this.failures.set(failure, records + (this.failures.get(failure) ?? 0));
    } else if (row.lacking !== null) {
      this.lacking[row.lacking as MissingField] += records;
    } else if (counting === 'user') {
      this.segmentation.add([removePrefix(row.name)], {
        time: toNumber(row.bucket),
        distinctId: removePrefix(row.user),
      });
    } else {
      const counted = Number(row.counted);
      const isOfBucket = unit !== undefined && !isTotal;
      const buckets = new Map(isOfBucket ? [[getBucket(Number(row.bucket), unit), counted]] : []);
      // A user can be in several buckets, a record in one.
      const all = isOfBucket && counting === 'users' ? 0 : counted;
      this.segmentation.merge(new Map([[removePrefix(row.name), { all, buckets }]]));
    }
  }
}

function removePrefix(value: unknown): string {
  return String(value).slice(1);
}

function toNumber(value: unknown): number | undefined {
  return value === null ? undefined : Number(value);
}
