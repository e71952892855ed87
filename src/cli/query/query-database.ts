import { parseJson } from '../../base/parse-json.ts';
import { pluralize } from '../../base/strings.ts';
import { type EventRecord, toEventRecord } from '../../data/event-record.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { FormatOptions } from '../../data/file-format.ts';
import { mayHaveOrigin } from '../../data/origins.ts';
import { SAMPLE_RECORDS } from '../../data/peek-records.ts';
import { InputError } from '../input/input-error.ts';
import { RecordError } from '../record-error.ts';
import type { DatabaseAnswer, DatabaseAnswers, QueryDatabaseLoader } from '../scan.ts';
import type { Job, JobKind, JobParts } from '../workers/job.ts';
import { ATTACHED, attachFile } from './attach-file.ts';
import { countGroups } from './count-groups.ts';
import { readCsvAsEvents } from './csv-events.ts';
import { type DatabaseKind, detectDatabase } from './detect-database.ts';
import { detectStrictCsv } from './detect-strict-csv.ts';
import { createEventTable, type EventTable, type TableReading, VIEW } from './event-table.ts';
import { explainEngineError, type FileColumn, type FileDatabase, FileLimitError } from './file-database.ts';
import { hasInnerNames } from './flatten-columns.ts';
import { type DatabaseTask, getPropertyNames, type JudgedSql, lowerTask } from './lower-task.ts';
import { lowerParquetTable, readParquetColumns } from './parquet.ts';

/** A table as a file has it. */
interface FileTable {
  /** As SQL names it. */
  readonly name: string;
  readonly columns: readonly FileColumn[];
}

const LACKS_NOTHING = { time: 0, distinct_id: 0 };

/** Runs jobs on Parquet files and tables of .duckdb files, and counts in CSV files. */
export class QueryDatabase implements QueryDatabaseLoader {
  constructor(
    private readonly engine: FileDatabase,
    private readonly options: Pick<FormatOptions, 'table' | 'records'>,
    /** Whether there is only one file, so that the number of its users is enough. */
    private readonly isAlone: boolean,
  ) {}

  async answers<K extends JobKind>(task: Job<K>, file: string) {
    if (file === '-') return undefined;
    const kind = await detectDatabase(file, task);
    if (kind !== undefined && task.flatten && (await this.hasInnerNames(kind, file))) return undefined;
    const answers =
      kind === undefined
        ? await this.queryCsv(task as DatabaseTask, file)
        : this.queryTable(task as DatabaseTask, file, async () => {
            const { name, columns } = await this.findTable(kind, file);
            return createEventTable(name, columns, createReading(task as DatabaseTask));
          });
    return answers as DatabaseAnswers<JobParts[K]> | undefined;
  }

  async peek(file: string, onlyForOrigin: boolean): Promise<readonly EventRecord[] | undefined> {
    const { engine } = this;
    const kind = file === '-' ? undefined : await detectDatabase(file, this.options);
    if (kind === undefined) return undefined;
    try {
      const { name, columns } = await this.findTable(kind, file);
      // A question that reads few columns answers from a file whose others are damaged or large.
      if (onlyForOrigin && !mayHaveOrigin(columns.map((column) => column.name))) return [];
      const { view } = createEventTable(name, columns, { names: [] });
      // As JSON in JSON, because the driver strips U+FEFF from the start of a string.
      const rows = await engine.rows(`SELECT "record" FROM (${view}) LIMIT ${SAMPLE_RECORDS}`);
      const texts = rows.map(({ record }) => String(record));
      return texts.flatMap((text, index) => toEventRecord(parseJson(text), () => text, index + 1) ?? []);
    } catch (error) {
      throw explainEngineError(error, file);
    } finally {
      await engine.cleanUp(`DETACH DATABASE IF EXISTS ${ATTACHED}`);
    }
  }

  /** Returns whether flattening needs the values of a table, and not only its columns. */
  private async hasInnerNames(kind: DatabaseKind, file: string): Promise<boolean> {
    try {
      const { columns } = await this.findTable(kind, file);
      return columns.some(({ type }) => hasInnerNames(type));
    } catch (error) {
      throw explainEngineError(error, file);
    } finally {
      await this.engine.cleanUp(`DETACH DATABASE IF EXISTS ${ATTACHED}`);
    }
  }

  /** Returns undefined if reading line by line is better: to print rows, or to report a broken or failing one. */
  private async queryCsv(task: DatabaseTask, file: string): Promise<DatabaseAnswers<unknown> | undefined> {
    const csv = task.kind === 'lines' ? undefined : await detectStrictCsv(file, task);
    if (csv === undefined) return undefined;
    const answers: DatabaseAnswer<unknown>[] = [];
    try {
      for await (const answer of this.queryTable(task, file, () => readCsvAsEvents(file, csv, createReading(task))))
        answers.push(answer);
      return answers;
    } catch (error) {
      if (error instanceof FileLimitError) throw error;
      if (error instanceof InputError || error instanceof RecordError) return undefined;
      throw error;
    }
  }

  private async *queryTable(
    task: DatabaseTask,
    file: string,
    table: () => EventTable | Promise<EventTable>,
  ): AsyncGenerator<DatabaseAnswer<unknown>> {
    const { engine } = this;
    try {
      const events = await table();
      await engine.run(`CREATE OR REPLACE TEMP VIEW ${VIEW} AS ${events.view}`);
      const judged = lowerTask(task, events.source);
      if (task.kind === 'lines') yield* this.selectLines(task, judged, file);
      else yield await this.count(task, judged, file);
    } catch (error) {
      throw explainEngineError(error, file);
    } finally {
      await engine.cleanUp(`DROP VIEW IF EXISTS ${VIEW}`);
      await engine.cleanUp(`DETACH DATABASE IF EXISTS ${ATTACHED}`);
    }
  }

  private async findTable(kind: DatabaseKind, file: string): Promise<FileTable> {
    const { engine } = this;
    if (kind === 'parquet') return { name: lowerParquetTable(file), columns: await readParquetColumns(engine, file) };
    const name = await attachFile(engine, file, this.options.table);
    return { name, columns: await engine.columnsOf(name) };
  }

  private async *selectLines(
    task: DatabaseTask,
    judged: JudgedSql,
    file: string,
  ): AsyncGenerator<DatabaseAnswer<string>> {
    const sql = `SELECT ${judged.failure} AS failure, "record" ${judged.rest}`;
    for await (const rows of this.engine.stream(sql, judged.parameters)) {
      const failed = rows.findIndex(({ failure }) => failure !== null);
      const whole = failed === -1 ? rows : rows.slice(0, failed);
      yield { part: whole.map(({ record }) => `${record}\n`).join(''), lacking: LACKS_NOTHING };
      if (failed !== -1) throw createTypeError(task, judged, Number(rows[failed]?.failure), `a record of ${file}`);
    }
  }

  private async count(
    task: Exclude<DatabaseTask, { kind: 'lines' }>,
    judged: JudgedSql,
    file: string,
  ): Promise<DatabaseAnswer<unknown>> {
    const { segments, lacking, failures } = await countGroups(this.engine, task, judged, this.isAlone);
    const [first] = [...failures.keys()].sort((left, right) => left - right);
    if (first !== undefined) {
      const failed = [...failures.values()].reduce((sum, records) => sum + records);
      throw createTypeError(task, judged, first, `${pluralize(failed, 'record')} of ${file}`);
    }
    if (task.kind === 'segment') return { part: segments, lacking };
    return { part: segments.get('')?.all ?? 0, lacking };
  }
}

function createReading(task: DatabaseTask): TableReading {
  const names = getPropertyNames(task);
  const { fields, flatten } = task;
  return { names, fields, flatten, withEvent: names.includes(EVENT_PROPERTY) };
}

function createTypeError(task: DatabaseTask, { errors }: JudgedSql, number: number, records: string): unknown {
  const error = errors[number - 1];
  if (error === undefined) return new Error(`there is no type error ${number}`);
  const on = task.kind === 'segment' ? task.on : '';
  return new RecordError(records, { ...error, source: error.expression === 'on' ? on : (task.where ?? '') });
}
