import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long. Vitest starts with the largest files, so one of these would run alone at the end. */
const SLOW_FILES = [
  'test/clickhouse/json.test.ts',
  'test/lang/engines/sql/duckdb.test.ts',
  'test/lang/engines/sql/postgresql.test.ts',
  'test/lang/engines/sql/sqlite.test.ts',
  'test/browser/explore/page.test.ts',
  'test/browser/explore/accessible.test.ts',
  'test/browser/explore/files.test.ts',
  'test/clickhouse/columns.test.ts',
  'test/clickhouse/store-faults.test.ts',
  'test/clickhouse/cluster-analytics.test.ts',
  'test/clickhouse/cluster-store.test.ts',
  'test/clickhouse/store-expressions.test.ts',
  'test/clickhouse/http.test.ts',
  'test/browser/questions/page.test.ts',
  'test/clickhouse/analytics.test.ts',
  'test/service/analytics/duckdb-analytics.test.ts',
  'test/clickhouse/map.test.ts',
];

/** Starts the slowest test files first, so that no processor is idle at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => SLOW_FILES.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}
