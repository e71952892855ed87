import fc from 'fast-check';

/** Values of the columns that random conditions name. */
export const COLUMNS = {
  plan: ['pro', 'free', 'team', 'Pro', '', "it's", 'pr', 'prp', 'pro max', '100%'],
  country: ['DE', 'US', 'pro', 'free', 'D'],
  amount: [0, 1, -1, 5, 10, 10.5, 19.99, 20, 100, -7.25],
  score: [0, 1, 2, 3, 5, 10, -1, 0.5],
  active: [true, false],
  created: [
    '2025-01-01T00:00:00',
    '2025-06-01T12:30:00',
    '2025-01-01T00:00:01',
    '2024-12-31T23:59:59',
    '2026-02-28T08:00:00',
  ],
} as const;

export const anyRow = fc.record(
  Object.fromEntries(Object.entries(COLUMNS).map(([name, values]) => [name, fc.constantFrom(null, ...values)])),
) as fc.Arbitrary<Readonly<Record<keyof typeof COLUMNS, string | number | boolean | null>>>;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const number = fc.constantFrom(...COLUMNS.amount, ...COLUMNS.score).map(String);
const string = fc.constantFrom(...COLUMNS.plan, ...COLUMNS.country).map(quote);
const comparison = fc.constantFrom('=', '<>', '!=', '<', '<=', '>', '>=');
const maybeNot = fc.constantFrom('', 'NOT ');

const { sql } = fc.letrec<{ sql: string; numeric: string; text: string }>((tie) => {
  const inner = tie('sql');
  return {
    numeric: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('amount', 'score', '"amount"', '-score'),
      number,
      fc
        .tuple(tie('numeric'), fc.constantFrom('+', '-', '*'), fc.constantFrom('amount', 'score'))
        .map((parts) => `(${parts.join(' ')})`),
      fc.tuple(tie('numeric'), fc.constantFrom('2.0', '-4.0')).map(([left, right]) => `(amount + ${left}) / ${right}`),
      fc.constantFrom(
        'amount * 1.0 / NULLIF(score, 0)',
        'amount % 3',
        'score % NULLIF(amount, 0)',
        'floor(amount)',
        'ceil(amount)',
      ),
      fc.tuple(fc.constantFrom('amount', 'score'), number).map(([column, other]) => `COALESCE(${column}, ${other})`),
      fc
        .tuple(inner, tie('numeric'), tie('numeric'))
        .map(([when, a, b]) => `CASE WHEN ${when} THEN ${a} ELSE ${b} END`),
      fc.tuple(inner, tie('numeric')).map(([when, a]) => `CASE WHEN ${when} THEN ${a} END`),
    ),
    text: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom('plan', 'country', '"plan"'),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `COALESCE(${a}, ${b})`),
      fc.tuple(tie('text'), string).map(([a, b]) => `NULLIF(${a}, ${b})`),
      fc
        .tuple(fc.constantFrom('plan', 'country'), string, string)
        .map(([a, b, c]) => `CASE ${a} WHEN ${b} THEN ${c} ELSE country END`),
    ),
    sql: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.tuple(tie('numeric'), comparison, tie('numeric')).map((parts) => parts.join(' ')),
      fc.tuple(tie('text'), comparison, fc.oneof(string, tie('text'))).map((parts) => parts.join(' ')),
      fc
        .tuple(
          tie('text'),
          maybeNot,
          fc.array(fc.oneof(string, string, fc.constantFrom('NULL', 'country')), { minLength: 1, maxLength: 3 }),
        )
        .map(([a, not, items]) => `${a} ${not}IN (${items.join(', ')})`),
      fc
        .tuple(
          tie('numeric'),
          maybeNot,
          fc.array(fc.oneof(number, fc.constantFrom('NULL', 'score')), { minLength: 1, maxLength: 3 }),
        )
        .map(([a, not, items]) => `${a} ${not}IN (${items.join(', ')})`),
      fc
        .tuple(tie('numeric'), maybeNot, number, tie('numeric'))
        .map(([a, not, b, c]) => `${a} ${not}BETWEEN ${b} AND ${c}`),
      fc
        .tuple(tie('text'), maybeNot, fc.constantFrom('%pr%', 'pro%', 'pro', '%', '%%', '', "%t's%", 'p%', 'D%'))
        .map(([a, not, pattern]) => `${a} ${not}LIKE ${quote(pattern)}`),
      fc
        .tuple(fc.oneof(tie('numeric'), tie('text'), fc.constant('active')), fc.constantFrom('IS NULL', 'IS NOT NULL'))
        .map((parts) => parts.join(' ')),
      fc
        .tuple(tie('text'), fc.constantFrom('IS DISTINCT FROM', 'IS NOT DISTINCT FROM'), fc.oneof(string, tie('text')))
        .map((parts) => parts.join(' ')),
      fc.constantFrom(
        'active',
        'active = TRUE',
        'active <> TRUE',
        'active IS NOT TRUE',
        'active IS FALSE',
        'TRUE',
        '1 = 1',
      ),
      fc
        .tuple(
          comparison,
          fc.constantFrom(
            "DATE '2025-01-01'",
            "TIMESTAMP '2025-01-01 00:00:01'",
            "'2025-06-01'",
            "TIMESTAMP '2025-01-08' - INTERVAL '7 days'",
            "CAST('2025-01-01' AS DATE)",
          ),
        )
        .map(
          ([operator, time]) =>
            `created ${operator === '=' || operator === '!=' || operator === '<>' ? '>=' : operator} ${time}`,
        ),
      fc.constantFrom(
        "created = TIMESTAMP '2025-01-01 00:00:01'",
        "created <> DATE '2025-01-01'",
        "created BETWEEN '2025-01-01' AND '2025-06-02'",
        'created < NOW()',
        'created > NOW() + INTERVAL 3 DAY',
        "created >= NOW() - INTERVAL '400 days'",
      ),
      inner.map((condition) => `NOT (${condition})`),
      fc.tuple(inner, fc.constantFrom('AND', 'OR'), inner).map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
      fc
        .tuple(inner, fc.constantFrom('IS TRUE', 'IS NOT TRUE', 'IS FALSE', 'IS NULL', 'IS NOT NULL'))
        .map(([a, test]) => `(${a}) ${test}`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `CASE WHEN ${a} THEN ${b} ELSE (${c}) END`),
    ),
  };
});

/** Conditions of SQL, most of them in the translated subset. */
export const anySql = sql;

/** Comparisons with literals that databases convert, and names and strings that they tell apart in different ways. */
const conversion = fc.constantFrom(
  ...['active = 1', 'active <> 0', '1 = active', 'amount = 1', 'score <> 0', 'active IN (1)', 'active NOT IN (0)'],
  ...["active = 'true'", "'false' <> active", "active IN ('true')", "active = 't'", "active <> 'false'"],
  ...["created = '2025-06-01'", "created <> '2025-01-01 00:00:01'", "created IN ('2025-01-01', '2025-01-01 00:00:01')"],
  ...['NULLIF(amount, 0) IS NULL', 'NULLIF(score, 0) < 5', 'NULLIF(score, 1) <> 0', "NULLIF(plan, 'pro') IS NULL"],
  ...['score = "amount"', 'NOT score <= "amount"', '"plan" = "country"', 'plan IN ("country")', '"amount" <> "amount"'],
  ...["(properties->>'active') = 'true'", "(properties->>'active') <> 'true'", "(properties->>'plan') = 'pro'"],
  ...["(properties->>'active') IN ('true')", "(properties->>'active') NOT IN ('false', 'x')"],
  ...["(properties->>'created') = '2025-01-01T00:00:00'", 'CASE score WHEN 1 THEN active ELSE active = 0 END'],
  ...['amount IN ()', 'score = 010', 'amount = $1', 'amount > @least'],
);

/** Conditions in which parentheses can be dropped, and literals be converted. */
export const looseSql = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: conversion },
    { weight: 3, arbitrary: sql },
    { weight: 1, arbitrary: tie('condition').map((inner) => `NOT (${inner})`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
        .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
    },
  ),
})).condition;
