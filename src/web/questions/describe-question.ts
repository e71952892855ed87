import { readPropertyName } from '../shared/segment-condition.ts';
import { parseSteps } from './funnel-steps.ts';
import { describeChoice, findField, type PageQuery, QUERIES, splitLine } from './queries.ts';
import { getNamedValue, type QuestionState } from './state.ts';

/** Fields that a name leaves out: most questions have the same. */
const LEFT_OUT: ReadonlySet<string> = new Set(['dates', 'unit', 'compare', 'length', 'length_unit', 'funnel_id']);

/** Describes a question in a few words, as a name to save it under. */
export function describeQuestion(state: QuestionState): string {
  const { line, measure }: PageQuery = QUERIES[state.query];
  const parts = splitLine(line).flatMap(({ words, field }) => {
    if (field === 'measure') return [measure];
    if (field === undefined || LEFT_OUT.has(field)) return field === undefined ? [words] : [];
    const value = describeValue(state, field);
    return value === '' ? [] : [words, value];
  });
  return parts.filter((part) => part !== '').join(' ');
}

function describeValue(state: QuestionState, name: string): string {
  const value = getNamedValue(state, name);
  const field = findField(state.query, name);
  switch (field?.kind) {
    case 'steps':
      return parseSteps(value)
        .map(({ event }) => event)
        .join(', ');
    case 'choice':
      return value === '' ? '' : describeChoice(field, value);
    case 'expression':
      return readPropertyName(value) ?? value;
    default:
      return value.replaceAll('\n', ', ');
  }
}
