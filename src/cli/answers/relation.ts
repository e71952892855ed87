import type { Relation } from '../../api/relate.ts';

/** Returns how an old and a new filter relate, as a sentence. */
export function describeRelation(relation: Relation): string {
  switch (relation.relation) {
    case 'equal':
      return 'Both filters select the same records.';
    case 'implies':
      return relation.onlyRight === undefined
        ? 'Both filters select the same records, but raise type errors on different ones.'
        : 'The new filter selects all records that the old one selects, and others.';
    case 'implied-by':
      return 'The new filter selects only records that the old one selects, but not all of them.';
    case 'disjoint':
      return 'No record is selected by both filters.';
    case 'overlap':
      return 'Each filter selects records that the other does not, and some are selected by both.';
    case 'unknown':
      return 'It could not be decided whether one filter selects all records that the other one selects.';
  }
}
