import { compileWhere } from '../../../../src/api/expressions.ts';
import { ExpressionError } from '../../../../src/lang/errors.ts';
import type { QueryMoment } from '../../../../src/service/store/filter-snapshot.ts';
import { occurrencesOf, type ReferenceVersion } from './occurrence.ts';

/**
 * Returns the records of a version that match the filter of a key. A record on which the filter fails does not match.
 */
export function allowedBy(filter: string, version: ReferenceVersion, moment: QueryMoment): ReferenceVersion {
  const selects = compileWhere(filter, moment);
  const allows = (...record: Parameters<typeof selects>) => {
    try {
      return selects(...record);
    } catch (error) {
      if (error instanceof ExpressionError) return false;
      throw error;
    }
  };
  const all = occurrencesOf([version]);
  return {
    events: version.events.filter((_, index) => allows(all[index]?.properties ?? {}, all[index]?.profile)),
    people: version.people.filter(({ properties }) => allows(properties, properties)),
  };
}
