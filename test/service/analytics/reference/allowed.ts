import { compileWhere } from '../../../../src/api/expressions.ts';
import { ExpressionError } from '../../../../src/lang/errors.ts';
import { occurrencesOf, type ReferenceVersion } from './occurrence.ts';

/** The records of a version that a key with a filter shows. Those on which the filter fails are not among them. */
export function allowedBy(filter: string, version: ReferenceVersion, now: number): ReferenceVersion {
  const selects = compileWhere(filter, { now });
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
