import { getBucket, type TimeUnit } from '../../data/buckets.ts';
import type { MissingField } from '../../data/event-record.ts';
import { type CountedSegments, Segmentation } from '../../data/segmentation.ts';
import type { Job } from '../workers/job.ts';
import type { FileDatabase, FileRow } from './file-database.ts';
import type { JudgedSql } from './lower-task.ts';

export type GroupedTask = Job<'count' | 'segment'>;

/** What a database counts of the records of a task. */
export interface Grouped {
  /** A count is of one segment without a name. */
  readonly segments: CountedSegments;
  /** How many records were left out for what they lack. */
  readonly lacking: { time: number; distinct_id: number };
  /** How many records raise each of the type errors, by number. */
  readonly failures: Map<number, number>;
}

/** What a group counts: records, users by their number, or one user each. */
type Counting = 'records' | 'users' | 'user';

/** Counts the records of a task, or their users: by number where no other table is asked, which may have the same ones. */
export async function countGroups(
  engine: FileDatabase,
  task: GroupedTask,
  judged: JudgedSql,
  isAlone: boolean,
): Promise<Grouped> {
  const counting = !task.unique ? 'records' : isAlone ? 'users' : 'user';
  const groups = new Groups(counting, unitOf(task));
  for await (const rows of engine.stream(groupedSql(task, judged, counting), judged.parameters)) {
    for (const row of rows) groups.add(row);
  }
  const { lacking, failures } = groups;
  return { segments: groups.segmentation.take(), lacking, failures };
}

function unitOf(task: GroupedTask): TimeUnit | undefined {
  return task.kind === 'segment' ? task.unit : undefined;
}

function groupedSql(task: GroupedTask, { failure, segment, segments, rest }: JudgedSql, counting: Counting): string {
  const unit = unitOf(task);
  const lacking = [
    'WHEN failure IS NOT NULL THEN NULL',
    ...(unit === undefined ? [] : [`WHEN "time" IS NULL THEN 'time'`]),
    ...(task.unique ? [`WHEN "user" IS NULL THEN 'distinct_id'`] : []),
  ];
  const isCounted = 'failure IS NULL AND lacking IS NULL';
  const name = segments === undefined ? 'name' : `unnest(CASE WHEN ${isCounted} THEN name ELSE [''] END)`;
  const start = `epoch(date_trunc('${unit}', make_timestamp(CAST(floor("time") AS BIGINT) * 1000000)))`;
  const keys = `failure, lacking, name${counting === 'user' ? ', "user"' : ''}`;
  const hasTotals = counting === 'users' && unit !== undefined;
  // The driver takes U+FEFF from the beginning of a string: here, none begins with it.
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

/** Puts the groups together that a database answers. */
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
      this.segmentation.add([textOf(row.name)], { time: numberOf(row.bucket), distinctId: textOf(row.user) });
    } else {
      const counted = Number(row.counted);
      const isOfBucket = unit !== undefined && !isTotal;
      const buckets = new Map(isOfBucket ? [[getBucket(Number(row.bucket), unit), counted]] : []);
      // A user can be in several buckets, a record in one.
      const all = isOfBucket && counting === 'users' ? 0 : counted;
      this.segmentation.merge(new Map([[textOf(row.name), { all, buckets }]]));
    }
  }
}

function textOf(value: unknown): string {
  return String(value).slice(1);
}

function numberOf(value: unknown): number | undefined {
  return value === null ? undefined : Number(value);
}
