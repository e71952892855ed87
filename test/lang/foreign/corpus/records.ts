import fc from 'fast-check';

/** Values by property, with those that filters trip over. */
const VALUES = {
  plan: ['pro', 'free', 'team', 'trial', 'Pro', 'PRO', '', 'pr', 'prp', 'pro max', 'DE', '10', '2025-06-01', 'pto'],
  country: ['DE', 'US', 'AT', 'de', '', 'pro', 'free'],
  url: ['/pricing', '/blog', '/blog/a/comments', '/Blog', '/docs/blog', '/admin', '/x/pricing?a=1', ''],
  email: ['a@example.com', 'b@gmail.com', 'C@GMAIL.COM', 'a@example.com.org', ''],
  name: ["O'Brien", "it's", 'Ann', 'ann', 'Zoë', '😀', ''],
  zip: ['10115', '80331', '010115', '10115.0', '9', ''],
  amount: [0, -1, 1, 5, 5.5, 10, 12, 20, 50, 100, 100.5, 250, 1000, 1001],
  quantity: [0, 1, 2, 3, 7, 10, 100],
  score: [0, 1, 2, 3, 10, -5],
  active: [true, false],
  is_trial: [true, false],
  created_at: [
    '2024-12-31T23:59:59',
    '2025-01-01T00:00:00',
    '2025-01-15T08:30:00',
    '2025-06-01T00:00:00',
    '2025-06-01T12:00:01',
    '2026-02-28T10:00:00',
  ],
  tags: [[], ['sale'], ['sale', 'new'], ['new'], ['Sale'], ['presale']],
} as const;

type Value = string | number | boolean | readonly string[] | null;

export type CorpusRecord = Readonly<Partial<Record<keyof typeof VALUES, Value>>>;

const anyRecord = fc.record(
  Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, fc.constantFrom<Value>(...values, null)])),
  { requiredKeys: [] },
);

/** Each property is missing, null, or a value of one type. Most records have most properties. */
export const RECORDS: readonly CorpusRecord[] = [
  ...fc.sample(anyRecord, { numRuns: 600, seed: 11 }),
  ...Object.entries(VALUES).flatMap(([name, values]) => [...values, null].map((value) => ({ [name]: value }))),
  {},
];
