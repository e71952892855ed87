import type { Drawn } from './draw.ts';

/** The maximum number of smaller requests to try. */
const TRIES = 200;

/** Reduces a failing request step by step, as long as it still fails. */
export async function shrinkRequest(failing: Drawn, fails: (smaller: Drawn) => Promise<boolean>): Promise<Drawn> {
  let [smallest, tries] = [failing, 0];
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerRequests(smallest)) {
      if (++tries > TRIES) return smallest;
      if (!(await fails(smaller))) continue;
      [smallest, isSmaller] = [smaller, true];
      break;
    }
  }
  return smallest;
}

function* smallerRequests(drawn: Drawn): Generator<Drawn> {
  const { parameters, method, encoding, operation } = drawn;
  if (drawn.body !== undefined || drawn.bytes !== undefined) return;
  for (const [index] of parameters.entries()) yield { ...drawn, parameters: parameters.toSpliced(index, 1) };
  if (method === 'POST' && encoding !== 'query' && drawn.body === undefined && operation.methods.includes('GET'))
    yield { ...drawn, method: 'GET', encoding: 'query' };
  if (drawn.credentials === 'signature') yield { ...drawn, credentials: 'secret' };
  for (const [index, [name, value]] of parameters.entries()) {
    if (typeof value !== 'string' || value.length < 2) continue;
    for (const part of [
      value.slice(0, value.length / 2),
      value.slice(value.length / 2),
      value.slice(1),
      value.slice(0, -1),
    ])
      yield { ...drawn, parameters: parameters.with(index, [name, part]) };
  }
}
