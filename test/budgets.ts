import budgets from './budgets.json' with { type: 'json' };

/** What the project promises in numbers. CI fails if a number is exceeded. */
export const BUDGETS = budgets;
