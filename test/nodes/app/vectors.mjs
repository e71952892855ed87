// Prints how many conformance vectors each engine of the installed package runs, and how many of them fail.
import {
  codegen,
  compile,
  compileBatchWhere,
  compileWhere,
  createBatchFromRecords,
  ExpressionSyntaxError,
} from 'onwhere';
import { readVectors, runVectors } from 'onwhere/conformance';

const runRecord = (engine) => {
  return ({ expr, props, user, now = 0, timeZone, where }) =>
    (where ? compileWhere : compile)(expr, { ...engine, now, timeZone })(props, user);
};

function runBatch({ expr, props, user, now = 0, timeZone }) {
  const batch = createBatchFromRecords([{ properties: props, user }]);
  return compileBatchWhere(expr, { now, timeZone })(batch).length === 1;
}

function answer(run, vector) {
  try {
    const value = run(vector);
    return value === undefined ? { undefined: true } : { value };
  } catch (error) {
    return { error: error instanceof ExpressionSyntaxError ? 'syntax' : 'type' };
  }
}

const vectors = readVectors();
const filters = vectors.filter(({ where }) => where);
for (const [name, run, some] of [
  ['closures', runRecord({}), vectors],
  ['codegen', runRecord({ engine: codegen }), vectors],
  ['batches', runBatch, filters],
]) {
  const failures = runVectors((vector) => answer(run, vector), some);
  console.log(`${name}: ${some.length} vectors, ${failures.length} failures`);
}
