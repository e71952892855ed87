import { expect, it } from 'vitest';
import { formatFilterSql } from '../../../src/web/questions/filter-sql.ts';

it('formats a filter for each database, with its parameters', () => {
  const texts = formatFilterSql('properties["plan"] == "it\'s"');
  expect(texts.map(({ title }) => title)).toEqual(['DuckDB SQL', 'ClickHouse SQL', 'PostgreSQL SQL', 'SQLite SQL']);
  for (const { text } of texts) {
    expect(text).toMatch(/^SELECT count\(\*\)\nFROM .+\nWHERE .+;\n--/);
    expect(text).toContain("it's");
  }
});

it('says why a filter has no SQL', () => {
  for (const { text } of formatFilterSql('properties["plan"] == ')) expect(text).toMatch(/^-- /);
});
