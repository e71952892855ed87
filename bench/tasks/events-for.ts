import type { Properties } from '../../src/lang/value.ts';
import type { Case } from '../cases/case.ts';
import type { RecordEngine } from '../engines/engine.ts';

/** Loads the events of a case in the form that the engine reads fastest. */
export function loadEvents({ adapt }: RecordEngine, testCase: Case): Properties[] {
  const events = testCase.events();
  return adapt === undefined ? events : events.map(adapt);
}
