// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of sources
import { type Mutant, mutate } from './mutant.ts';

const SET = 'test/filter-set.test.ts';
const EQUAL = [SET, 'equal'] as const;
const DIFF = 'test/cli/diff.test.ts';
const LINT = 'test/cli/lint.test.ts';

/** Mistakes of comparing saved filters: sets of equal ones, `diff` and `lint`. */
export const FILTER_MUTANTS: readonly Mutant[] = [
  ...mutate('src/lang/filters/plan-key.ts', EQUAL, {
    'the order of operands': ['areSorted ? keys.toSorted() : keys', 'keys'],
    'operands whose order counts': ['areSorted ? keys.toSorted() : keys', 'keys.toSorted()'],
    'the order of values': ['plan.values.map(formatValue).sort().join()', 'plan.values.map(formatValue).join()'],
  }),
  ...mutate('src/lang/filters/equal-filters.ts', [SET, 'same hash'], {
    'the key behind a hash': ['.find((slot) => getKey(slot) === key)', '.find(() => key !== getKey(-1))'],
    'other filters of a hash': ['.filter((other) => other !== slot)', '.slice(2)'],
  }),
  ...mutate('src/api/filter-set.ts', EQUAL, {
    'sources of type errors': ['filter.canFail ? `fails ${checked.source}` : ', ''],
    'a copy that takes over': ['this.ids[slot] = first;', ''],
    'the source of a copy': ['this.copies.get(slot)?.get(id) ?? ', ''],
    'the last copy': ['if (copies.size === 0) this.copies.delete(slot);', ''],
  }),
  ...mutate(
    'src/service/saved-filters/count-matches.ts',
    ['test/service/saved-filters/count-matches.test.ts', 'bounds'],
    {
      'the memory of type errors': ['(ids.length + failures.length)', 'ids.length'],
    },
  ),
  ...mutate('src/data/decided-filter.ts', [DIFF, 'same clauses as'], {
    'operands that decide': ['(isDecided ? deciding : operands)', 'operands'],
    'undefined operands': ["(outcome === 'true') === node.decidedBy", 'outcome === String(node.decidedBy)'],
  }),
  ...mutate('src/cli/workers/diff-counter.ts', [DIFF, 'diff'], {
    'shared clauses': ['if (!shared.has(key)) own', 'own'],
    'clauses that select': ['selecting.areAll ? [] : selecting.own', '[]'],
    'all clauses that select': ['selecting.areAll ? [] : selecting.own', 'selecting.own'],
  }),
  ...mutate('src/cli/workers/diff-totals.ts', [DIFF, 'diff'], {
    'the limit of users': ['known !== undefined || this.users.size < this.maxUsers', 'true'],
    'users of both filters': [
      "filters === (kind === 'joining' ? IS_NEW : IS_OLD)",
      "(filters & (kind === 'joining' ? IS_NEW : IS_OLD)) !== 0",
    ],
    'the line of a block': ['line: line + example.line', 'line: example.line + 1'],
  }),
  ...mutate('src/cli/lint/find-candidates.ts', [LINT, 'every relation'], {
    'what a filter reads': ['for (const { scope, name } of properties) delete merged[scope][name];', ''],
    'one direction': ['if (other === index) continue;', 'if (other <= index) continue;'],
  }),
  ...mutate('src/cli/lint/subsumption-graph.ts', [LINT, 'finds in'], {
    'what follows from others': ['middle !== wide && wider', 'middle === wide && wider'],
    'groups of equal filters': ['[this.findRoot(narrow), this.findRoot(wide)]', '[narrow, wide]'],
  }),
  ...mutate('src/cli/lint/near-duplicates.ts', [LINT, 'finds in'], {
    'conditions on other properties': ['toKey(tree, condition, properties.join())', "toKey(tree, condition, '')"],
    'the order of conditions': ['toKey(operand, open, name)).sort()', 'toKey(operand, open, name))'],
  }),
];
