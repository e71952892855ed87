// Prints the mistakes whose errors are not of one class in all entries, whether they are imported or required.
const NAMES = ['onwhere', 'onwhere/sql', 'onwhere/filters', 'onwhere/core'];

/** What throws an ExpressionSyntaxError, with an export of an entry. */
const MISTAKES = {
  compileWhere: (compileWhere) => compileWhere('1 +'),
  toSql: (toSql, { duckdb }) => toSql('1 +', duckdb, { table: 'events', properties: { columns: {} } }),
  FilterSet: (FilterSet) => new FilterSet().add('some', '1 +'),
};

function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function main() {
  const entries = [];
  for (const name of NAMES) {
    entries.push([`require('${name}')`, require(name)], [`import('${name}')`, await import(name)]);
  }
  let compared = 0;
  for (const [from, entry] of entries) {
    for (const [name, run] of Object.entries(MISTAKES)) {
      if (entry[name] === undefined) continue;
      const error = thrownBy(() => run(entry[name], entry));
      for (const [to, { ExpressionSyntaxError, ExpressionError }] of entries) {
        if (ExpressionError === undefined) continue;
        compared++;
        if (error instanceof ExpressionSyntaxError && error instanceof ExpressionError) continue;
        console.log(`${name} of ${from} throws no error of ${to}`);
      }
    }
  }
  console.log(`${compared} compared`);
}

main();
