import type { CorpusRecord } from './records.ts';

/** Evaluates a formula, given how strings are compared: in Excel without case. */
type ExcelMeaning = (record: CorpusRecord, fold: (text: string) => string) => boolean;

const text = (value: unknown) => String(value ?? '');
const number = (value: unknown) => Number(value ?? 0);

/** Formulas of Excel as people write them in a table. A blank cell is a missing property, 0 and the empty string. */
// biome-ignore format: a table, to be read by its rows
export const EXCEL: readonly (readonly [formula: string, meaning: ExcelMeaning])[] = [
  [`=[@plan]="pro"`, (r, f) => f(text(r.plan)) === f('pro')],
  [`=[@plan]<>"free"`, (r, f) => f(text(r.plan)) !== f('free')],
  [`=AND([@plan]="pro",[@amount]>100)`, (r, f) => f(text(r.plan)) === f('pro') && number(r.amount) > 100],
  [`=AND([@plan]="pro";[@amount]>100)`, (r, f) => f(text(r.plan)) === f('pro') && number(r.amount) > 100],
  [`=OR([@plan]="pro",[@plan]="team")`, (r, f) => [f('pro'), f('team')].includes(f(text(r.plan)))],
  [`=NOT([@plan]="free")`, (r, f) => f(text(r.plan)) !== f('free')],
  [`AND([plan]="pro",[amount]>100)`, (r, f) => f(text(r.plan)) === f('pro') && number(r.amount) > 100],
  [`=AND(plan="pro",amount>100)`, (r, f) => f(text(r.plan)) === f('pro') && number(r.amount) > 100],
  [`=plan="pro"`, (r, f) => f(text(r.plan)) === f('pro')],
  [`=Table1[@plan]="pro"`, (r, f) => f(text(r.plan)) === f('pro')],
  [`=IF([@plan]="pro",TRUE,FALSE)`, (r, f) => f(text(r.plan)) === f('pro')],
  [`=IF(AND([@amount]>10,[@quantity]>2),TRUE,FALSE)`, (r) => number(r.amount) > 10 && number(r.quantity) > 2],
  [`=[@amount]>100`, (r) => number(r.amount) > 100],
  [`=[@amount]<10`, (r) => number(r.amount) < 10],
  [`=[@amount]=0`, (r) => number(r.amount) === 0],
  [`=[@amount]<>0`, (r) => number(r.amount) !== 0],
  [`=AND([@amount]>=10,[@amount]<=20)`, (r) => number(r.amount) >= 10 && number(r.amount) <= 20],
  [`=[@amount]*[@quantity]>100`, (r) => number(r.amount) * number(r.quantity) > 100],
  [`=[@amount]-[@quantity]<5`, (r) => number(r.amount) - number(r.quantity) < 5],
  [`=[@amount]/2>10`, (r) => number(r.amount) / 2 > 10],
  [`=[@amount]/[@quantity]>2`, (r) => number(r.amount) / number(r.quantity) > 2],
  [`=[@quantity]>[@score]`, (r) => number(r.quantity) > number(r.score)],
  [`=ISBLANK([@plan])`, (r) => r.plan === undefined || r.plan === null],
  [`=NOT(ISBLANK([@plan]))`, (r) => r.plan !== undefined && r.plan !== null],
  [`=[@plan]=""`, (r) => text(r.plan) === ''],
  [`=[@plan]<>""`, (r) => text(r.plan) !== ''],
  [`=EXACT([@plan],"pro")`, (r) => text(r.plan) === 'pro'],
  [`=AND(EXACT([@plan],"pro"),[@amount]>100)`, (r) => text(r.plan) === 'pro' && number(r.amount) > 100],
  [`=ISNUMBER(SEARCH("blog",[@url]))`, (r, f) => f(text(r.url)).includes(f('blog'))],
  [`=NOT(ISNUMBER(SEARCH("blog",[@url])))`, (r, f) => !f(text(r.url)).includes(f('blog'))],
  [`=ISNUMBER(FIND("blog",[@url]))`, (r) => text(r.url).includes('blog')],
  [`=ISERROR(FIND("blog",[@url]))`, (r) => !text(r.url).includes('blog')],
  [`=LEFT([@plan],3)="pro"`, (r, f) => f(text(r.plan).slice(0, 3)) === f('pro')],
  [`=RIGHT([@email],4)=".com"`, (r, f) => f(text(r.email).slice(-4)) === f('.com')],
  [`=LEN([@name])>3`, (r) => text(r.name).length > 3],
  [`=LOWER([@plan])="pro"`, (r) => text(r.plan).toLowerCase() === 'pro'],
  [`=[@active]=TRUE`, (r) => r.active === true],
  [`=[@active]`, (r) => r.active === true],
  [`=AND([@active],NOT([@is_trial]))`, (r) => r.active === true && r.is_trial !== true],
  [`=[@zip]="10115"`, (r) => r.zip === '10115'],
  [`=[@created_at]>=DATE(2025,1,1)`, (r) => r.created_at !== null && text(r.created_at) >= '2025-01-01'],
  [`=AND([@created_at]>=DATE(2025,1,1),[@created_at]<DATE(2025,2,1))`, (r) => text(r.created_at) >= '2025-01-01' && text(r.created_at) < '2025-02-01'],
  [`=[@created_at]>TODAY()-30`, () => false],
  [`=[@plan]&"-"&[@country]="pro-DE"`, (r, f) => f(`${text(r.plan)}-${text(r.country)}`) === f('pro-de')],
  [`=COUNTIF([@plan],"pro*")>0`, (r, f) => f(text(r.plan)).startsWith(f('pro'))],
  [`=A2="pro"`, () => false],
  [`=SUM(B2:C2)>10`, () => false],
  [`=[@plan]=[@country]`, (r, f) => f(text(r.plan)) === f(text(r.country))],
];
