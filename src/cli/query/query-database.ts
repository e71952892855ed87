import { resolve } from 'node:path';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import { pluralize } from '../../lang/util/strings.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { RecordError } from '../describe-failure.ts';
import { UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { DatabaseAnswer, DatabaseAnswers, QueryDatabaseLoader } from '../scan.ts';
import type { Job, JobKind, JobParts } from '../workers/job.ts';
import { countGroups } from './count-groups.ts';
import { readCsvAsEvents } from './csv-events.ts';
import { type DatabaseKind, detectDatabase } from './detect-database.ts';
import { detectStrictCsv } from './detect-strict-csv.ts';
import { createEventTable, type EventTable, VIEW } from './event-table.ts';
import type { FileDatabase } from './file-database.ts';
import { explainEngineError } from './file-database.ts';
import { type DatabaseTask, getPropertyNames, type JudgedSql, lowerTask } from './lower-task.ts';
import { lowerParquetTable, readParquetColumns } from './parquet.ts';

/** The name of an attached file in SQL. */
const ATTACHED = 'attached';

const LACKS_NOTHING = { time: 0, distinct_id: 0 };

/** Runs jobs on Parquet files and tables of .duckdb files, and counts in CSV files. */
export class QueryDatabase implements QueryDatabaseLoader {
  constructor(
    private readonly engine: FileDatabase,
    /** The table to read from a file with several tables. */
    private readonly table: string | undefined,
    /** Whether there is only one file, so that the number of its users is enough. */
    private readonly isAlone: boolean,
  ) {}

  async answers<K extends JobKind>(task: Job<K>, file: string) {
    if (file === '-') return undefined;
    const kind = await detectDatabase(file);
    const answers =
      kind === undefined
        ? await this.queryCsv(task as DatabaseTask, file)
        : this.queryTable(task as DatabaseTask, file, () => this.openTable(task as DatabaseTask, kind, file));
    return answers as DatabaseAnswers<JobParts[K]> | undefined;
  }

  /** Returns undefined if reading line by line is better: to print rows, or to report a broken or failing one. */
  private async queryCsv(task: DatabaseTask, file: string): Promise<DatabaseAnswers<unknown> | undefined> {
    const csv = task.kind === 'lines' ? undefined : await detectStrictCsv(file);
    if (csv === undefined) return undefined;
    const answers: DatabaseAnswer<unknown>[] = [];
    try {
      for await (const answer of this.queryTable(task, file, () => readCsvAsEvents(file, csv))) answers.push(answer);
      return answers;
    } catch (error) {
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
      await engine.run(`DROP VIEW IF EXISTS ${VIEW}`);
      await engine.run(`DETACH DATABASE IF EXISTS ${ATTACHED}`);
    }
  }

  private async openTable(task: DatabaseTask, kind: DatabaseKind, file: string): Promise<EventTable> {
    const { engine } = this;
    const names = getPropertyNames(task);
    if (kind === 'parquet')
      return createEventTable(lowerParquetTable(file), await readParquetColumns(engine, file), names);
    const table = await this.attach(file);
    return createEventTable(table, await engine.columnsOf(table), names);
  }

  /** Attaches a file and returns the table to read. */
  private async attach(file: string): Promise<string> {
    const { engine, table } = this;
    await engine.run(`ATTACH ${quoteSqlString(resolve(file))} AS ${ATTACHED} (READ_ONLY)`);
    const found = await engine.rows(
      `SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE database_name = '${ATTACHED}'
      UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = '${ATTACHED}' AND NOT internal
      ORDER BY ALL`,
    );
    const tables = found.map(({ schema, name }) => ({ schema: String(schema), name: String(name) }));
    const matching = table === undefined ? tables : tables.filter(({ name }) => name === table);
    const [only] = matching;
    if (only !== undefined && matching.length === 1)
      return [ATTACHED, only.schema, only.name].map(duckdb.quoteName).join('.');
    const names = tables.map(({ name }) => name).join(', ');
    if (tables.length === 0) throw new InputError(`${file} has no tables`);
    if (table === undefined) throw new UsageError(`${file} has several tables. Choose one with --table: ${names}`);
    throw new UsageError(
      `${file} has ${matching.length === 0 ? 'no table' : 'several tables'} called ${table}. Its tables: ${names}`,
    );
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

function createTypeError(task: DatabaseTask, { errors }: JudgedSql, number: number, records: string): unknown {
  const error = errors[number - 1];
  if (error === undefined) return new Error(`there is no type error ${number}`);
  const on = task.kind === 'segment' ? task.on : '';
  return new RecordError(records, { ...error, source: error.expression === 'on' ? on : (task.where ?? '') });
}
