import { check } from '../../api/expressions.ts';
import { fromForm, toForm } from '../../api/forms.ts';
import type { FormRow } from '../../lang/form/form.ts';

/** Adds a condition to a filter, which may be blank. Returns undefined if the filter is not an expression. */
export function addCondition(filter: string, condition: FormRow): string | undefined {
  if (filter.trim() !== '' && check(filter).types.length === 0) return undefined;
  const form = toForm(filter);
  const isOpen = form.join === 'and' && !form.negated;
  const rows = form.rows.length === 0 ? [] : isOpen ? form.rows : [form];
  return fromForm({ kind: 'group', join: 'and', negated: false, rows: [...rows, condition] });
}
