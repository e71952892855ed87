import { translate } from '../src/api/translate.ts';
import type { ForeignTranslation } from '../src/lang/foreign/translate.ts';

/** Filters of each language, in the order of the page. `npm run generate` sorts them into exact, noted and refused. */
export const FORMS: Readonly<Record<ForeignTranslation['language'], readonly string[]>> = {
  Mixpanel: [
    'has_prefix(properties["plan"], "pro")',
    'any(X, properties["tags"], X == "new")',
    'any(X, properties["tags"], X in ["new", "sale"])',
    'string(properties["plan"], "none") == "pro"',
    'number(properties["amount"], 0) <= 5',
    'user["created"] >= datetime(2024, 1, 31)',
    'IF(properties["amount"] > 10, "high", "low") == "high"',
    'has_suffix(properties["plan"], "pro")',
    'lower(properties["plan"]) == "pro"',
    'all(X, properties["tags"], X == "new")',
    'any(X, properties["tags"], X > 5)',
    'group_properties["company"]["industry"] == "saas"',
    'behaviors["behavior_269"] > 0',
    'IF(properties["amount"] > 10, "high", "low")',
  ],
  SQL: [
    "plan = 'pro' AND amount > 10",
    "plan <> 'free'",
    "plan IN ('pro', 'team')",
    "plan NOT IN ('pro', 'team')",
    'amount BETWEEN 1 AND 5',
    "plan LIKE 'pro%'",
    "plan NOT LIKE '%pro%'",
    'plan IS NULL',
    'active AND NOT active IS NULL',
    'active = TRUE',
    'COALESCE(amount, 0) > 5',
    'NULLIF(score, 0) > 1',
    'CASE WHEN active THEN amount ELSE score END > 5',
    "plan IS DISTINCT FROM 'pro'",
    "(properties->>'item') = 'pro'",
    "(properties->>'item') = '5'",
    "(properties->>'item') <> 'true'",
    'active = 1',
    "active = 'true'",
    "amount = '5'",
    "plan > 'a' AND active",
    "created = '2025-06-01'",
    "created >= NOW() - INTERVAL '7 days'",
    'plan = country',
    'plan = "pro"',
    "(properties->>'item')::numeric > 5",
    "(properties->>'item')::int > 5",
    "NOT (properties->>'item') > 'a'",
    'amount > $least AND active',
    'plan = NULL',
    "lower(plan) = 'pro'",
    "plan ILIKE 'pro%'",
    "plan LIKE '%pro'",
    'plan IN (SELECT name FROM plans)',
    'amount BETWEEN $1 AND $2',
    'amount / 2 BETWEEN 1 AND 5',
    'amount / score BETWEEN 1 AND 5',
    'CAST(amount AS INT) > 5',
    'created > CURRENT_DATE',
  ],
  CEL: [
    "plan in ['pro', 'team'] && amount > 5.0",
    "!active && plan.contains('pro')",
    "!plan.startsWith('pro') || plan.contains('max') && score > 1.0",
    "has(properties.plan) && plan == 'pro'",
    "plan != 'pro' && plan.contains('pro')",
    '!has(plan)',
    "!(plan in ['pro', 'team']) && has(plan)",
    "'new' in tags && amount > 5.0 || has(plan)",
    "amount + 1.0 > 5.0 && plan.contains('p')",
    "plan.endsWith('pro') || plan.contains('max')",
    'size(plan) > 3',
    "plan.matches('p.*o')",
    "tags.exists(t, t == 'new')",
  ],
  JavaScript: [
    "plan === 'pro' && amount !== 5",
    '!active',
    "plan?.includes('pro')",
    "!tags.includes('new')",
    "plan.startsWith('pro') && !country",
    "['pro', 'team'].includes(plan)",
    "(plan ?? country) === 'pro'",
    "active ? plan === 'pro' : plan === 'free'",
    'plan == null && active',
    "plan == 'pro' && active",
    'amount > 5 && active',
    'active == 1 && !plan',
    'plan === null || active',
    'plan === country && active',
    'amount * 2 > 5 && active',
    "plan.endsWith('pro')",
    'plan.length > 3',
    "plan.toLowerCase() === 'pro'",
    '/^pro/.test(plan)',
    "tags.some(tag => tag === 'new')",
  ],
  'JSON Logic': [
    '{"===": [{"var": "plan"}, "pro"]}',
    '{"!==": [{"var": ["plan", "free"]}, "free"]}',
    '{"in": [{"var": "plan"}, ["pro", "team"]]}',
    '{"in": ["new", {"var": "tags"}]}',
    '{"===": [{"var": "plan"}, null]}',
    '{"if": [{"===": [{"var": "active"}, true]}, {"===": [{"var": "plan"}, "pro"]}, false]}',
    '{"==": [{"var": "plan"}, "pro"]}',
    '{"==": [{"var": "plan"}, null]}',
    '{">": [{"var": "amount"}, 5]}',
    '{"==": [{"var": "active"}, 1]}',
    '{"!": [{"var": "active"}]}',
    '{"===": [{"var": "plan"}, {"var": "country"}]}',
    '{">": [{"+": [{"var": "amount"}, 1]}, 5]}',
    '{"some": [{"var": "tags"}, {"===": [{"var": ""}, "new"]}]}',
    '{"and": []}',
    '{">": [{"var": "amount"}, "5"]}',
    '{">": [{"/": [{"var": "amount"}, {"var": "score"}]}, 5]}',
  ],
  MongoDB: [
    '{"plan": "pro"}',
    '{"plan": {"$ne": "pro"}}',
    '{"plan": null}',
    '{"plan": {"$in": ["pro", null]}, "amount": {"$gt": 5, "$lte": 10}}',
    '{"$or": [{"plan": "pro"}, {"$nor": [{"active": true}]}]}',
    '{"plan": {"$exists": true}}',
    '{"plan": {"$regex": "^pro"}}',
    '{"created": {"$gte": {"$date": "2025-06-01T00:00:00Z"}}}',
    '{"plan": {"$regex": "p.*o"}}',
    '{"tags": {"$size": 2}}',
    '{"tags": {"$elemMatch": {"$eq": "new"}}}',
    '{"$expr": {"$gt": ["$amount", "$score"]}}',
    '{"amount": {"$gt": null}}',
  ],
  Excel: [
    '=[@amount]=5',
    '=[@amount]<>0',
    '=[@active]=TRUE',
    '=AND([@amount]=5,NOT([@active]=FALSE))',
    '=ISBLANK([@plan])',
    '=[@plan]=""',
    '=EXACT([@plan],"pro")',
    '=ISNUMBER(FIND("pro",[@plan]))',
    '=IF([@active]=TRUE,[@amount]=5,[@score]=1)',
    '=[@plan]="pro"',
    '=[@amount]>5',
    '=[@active]',
    '=[@amount]+[@score]=5',
    '=EXACT([@plan],"5")',
    '=ISNUMBER(SEARCH("pro",[@plan]))',
    '=LEFT([@plan],3)="pro"',
    '=[@created]>=DATE(2025,6,1)',
    '=LEN([@plan])>3',
    '=RIGHT([@plan],3)="pro"',
    '=LOWER([@plan])="pro"',
    '=[@plan]>"a"',
    '=A2="pro"',
    '=COUNTIF(A:A,"pro")>0',
    '=[@created]>TODAY()',
  ],
};

const INTRODUCTION = `# Filters of other languages

<!-- Written by \`npm run generate\` from scripts/translation-page.ts. -->

\`translate\` from \`onwhere/translate\` recognises filters of other languages and translates them to expressions that select
the same records. \`onwhere check --fix\` and \`repair\` use it, and \`onwhere from-sql\` reads SQL.

- **Exact**: the expression selects the records that the original selects, also if a property is missing, null or has
  another type. \`notes\` is empty.
- **With a note**: the expression selects the same records if what its notes say is right for your data.
- **Refused**: no expression certainly selects the same records. \`reason\` says why and what to write instead, \`span\` where.

A column of SQL has one type, that of the values it is compared with. What \`->>\` reads can have any.

Tests run many random filters in the original, over records with missing values, nulls and mixed types, and compare
every translation without a note. They use DuckDB and PostgreSQL for SQL, JavaScript itself, and the packages
\`@marcbachmann/cel-js\`, \`json-logic-engine\` and \`sift\`. For Excel, they compute what its manual says. Mixpanel has no program
to compare with: onwhere reads its functions by the rules of [the language](../../grammar/language.md).

No note speaks of a list in a property that is compared with a single value. \`==\` of JavaScript and JSON Logic also finds a
list with one element, \`["pro"] == "pro"\`, and \`contains\` of CEL fails on lists, in which \`in\` finds an element.
`;

const GRADES = ['exact', 'noted', 'refused'] as const;
const HEADERS: Readonly<Record<(typeof GRADES)[number], string>> = {
  exact: '| exact | expression |\n|---|---|',
  noted: '| with a note | expression | note |\n|---|---|---|',
  refused: '| refused | reason |\n|---|---|',
};

/** Returns the page with what becomes of filters of other languages. */
export function writeTranslationPage(): string {
  const sections = Object.entries(FORMS).map(([language, forms]) => {
    const rows = forms.map((source) => writeRow(language, source));
    const tables = GRADES.map((grade) => {
      const found = rows.filter((row) => row.grade === grade).map(({ text }) => text);
      return found.length === 0 ? '' : `\n${HEADERS[grade]}\n${found.join('\n')}\n`;
    });
    return `## ${language}\n${tables.join('')}`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function writeRow(
  language: string,
  source: string,
): { readonly grade: (typeof GRADES)[number]; readonly text: string } {
  const translation = translate(source);
  if (translation?.language !== language) throw new Error(`${source} is not read as ${language}.`);
  if ('reason' in translation) return { grade: 'refused', text: writeCells(code(source), translation.reason) };
  const { expression, notes } = translation;
  const cells = [code(source), code(expression.replace(/\n\s*/g, ' '))];
  if (notes.length === 0) return { grade: 'exact', text: writeCells(...cells) };
  return { grade: 'noted', text: writeCells(...cells, notes.join(' ')) };
}

const code = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

function writeCells(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
