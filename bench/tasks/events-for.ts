import type { Properties } from '../../src/lang/value.ts';
import type { Case } from '../cases/case.ts';
import type { RecordEngine } from '../engines/engine.ts';

/** The events of a case, as the engine reads them best. */
export function loadEvents({ adapt }: RecordEngine, testCase: Case): Properties[] {
  const events = testCase.events();
  return adapt === undefined ? events : events.map(adapt);
}
