import { walk } from '../ast.ts';
import type { Span } from '../source.ts';
import { limitSteps, StepsExceeded } from '../steps.ts';
import { DEFAULT_LENGTH, tryParse } from '../syntax/parse.ts';
import { print } from '../syntax/print.ts';
import { type Condition, TOO_LONG, twoValued } from './conditions.ts';
import { readExcel } from './excel.ts';
import { readInfix } from './infix.ts';
import { isJsonLogicOperation, readJsonLogic } from './json-logic.ts';
import { parseJsonTree } from './json-tree.ts';
import { readMixpanel } from './mixpanel.ts';
import { readMongoDb } from './mongodb.ts';
import { Refusal, type RefusalKind } from './refusal.ts';
import { readSql } from './sql.ts';
import { describeNull } from './values.ts';

/** A filter of another language as an expression. */
export interface Translated {
  readonly expression: string;
  /** Assumptions of the translation beyond the rules of its language, as sentences. */
  readonly notes: readonly string[];
}

/** Why and where a filter of another language has no exact translation. */
export interface Untranslated {
  readonly kind: RefusalKind;
  /** Says what is wrong and what to write instead. */
  readonly reason: string;
  readonly span: Span;
}

export type Translation = Translated | Untranslated;

type ForeignLanguage = 'Mixpanel' | 'SQL' | 'CEL' | 'JavaScript' | 'JSON Logic' | 'MongoDB' | 'Excel';

/** A translation, and the language that the filter is read as. */
export type ForeignTranslation = Translation & { readonly language: ForeignLanguage };

const TRANSLATORS: Readonly<Record<ForeignLanguage, (source: string) => Translation>> = {
  Mixpanel: translateMixpanel,
  SQL: translateQuotedSql,
  CEL: translateCel,
  JavaScript: translateJavaScript,
  'JSON Logic': translateJsonLogic,
  MongoDB: translateMongoDb,
  Excel: translateExcel,
};

/**
 * Translates a filter of any of the languages. Returns undefined if it is none of them, or an expression already, even one
 * with mistakes.
 */
export function translateForeign(source: string): ForeignTranslation | undefined {
  const language = detectLanguage(source);
  if (language === undefined) return undefined;
  const translation = TRANSLATORS[language](source);
  if ('reason' in translation) {
    // Each of these languages looks like an expression with mistakes, unless it is well written.
    const isForeign = translation.kind !== 'syntax' || !['Mixpanel', 'SQL', 'CEL', 'JavaScript'].includes(language);
    return isForeign ? { language, ...translation } : undefined;
  }
  const notes = ['SQL', 'CEL', 'JavaScript'].includes(language) ? noteProperties(translation.expression) : [];
  if (language === 'JavaScript' && !ONLY_SCRIPT.test(withoutStrings(source))) {
    const strict = translateCel(source);
    if (!('expression' in strict) || strict.expression !== translation.expression)
      notes.push('Read as JavaScript. CEL, which looks the same, fails where a property is missing.');
  }
  return { language, ...translation, notes: [...translation.notes, ...notes] };
}

/** Notes which words are read as properties, although they could be strings without quotes. */
function noteProperties(expression: string): string[] {
  const { tree } = tryParse(expression);
  return Array.from(tree === undefined ? [] : walk(tree)).flatMap((node) => {
    const isEquality = node.kind === 'binary' && (node.operator === '==' || node.operator === '!=');
    if (!isEquality || node.left.kind !== 'property' || node.right.kind !== 'property') return [];
    return [`${node.right.name} is read as a property. If it is a string, put it in quotes.`];
  });
}

/** Compared with a string in double quotes, as MySQL and BigQuery write them. After it, nothing makes it a column. */
const DOUBLE_QUOTED =
  /'(?:[^']|'')*'|(?<=[=<>]\s*|\blike\s+)"([^"'\\]*)"(?!\s*(?:[-+*/%=<>!.]|(?:not|in|is|like|between)\b))/gi;
const DOUBLE_QUOTED_LIST = /'(?:[^']|'')*'|\bin\s*\(\s*"[^"'\\]*"(?:\s*,\s*"[^"'\\]*")*\s*,?\s*\)/gi;

/** Translates SQL that compares with strings in double quotes, and notes them: elsewhere they name columns. */
function translateQuotedSql(source: string): Translation {
  const strings = new Set<string>();
  const unify = (text: string) => {
    for (const [string] of text.matchAll(/"[^"]*"/g)) strings.add(string);
    return text.replaceAll('"', "'");
  };
  // The length stays, and with it the places of refusals.
  const unified = source
    .replace(DOUBLE_QUOTED, (found, text) => (text === undefined ? found : unify(found)))
    .replace(DOUBLE_QUOTED_LIST, (found) => (found.startsWith("'") ? found : unify(found)));
  const translation = translateSql(unified);
  if ('reason' in translation) return translation;
  if (strings.size === 0) return translation;
  const note = `Double quotes hold strings here: ${[...strings].join(', ')}. Remove them from names of columns.`;
  return { ...translation, notes: [...translation.notes, note] };
}

/** Strings, also one that is never closed, so that its quotes are not tried one by one. */
const QUOTED = /'(?:[^'\\]|\\[\s\S]|'')*(?:'|\\?$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

function withoutStrings(source: string): string {
  return source.replace(QUOTED, (found) => (found.length > 1 && found.endsWith(found.charAt(0)) ? "''" : found));
}

/** Functions and properties of Mixpanel that no expression has. */
const MIXPANEL_PART =
  /\bhas_(?:prefix|suffix)\s*\(|\b(?:any|all)\s*\(\s*\w+\s*,|\bdatetime\s*\(\s*\d+\s*,|\b(?:group_properties|behaviors)\s*\[/i;
/** Functions that other languages have too, but not of these properties. */
const MIXPANEL_CALL =
  /\bifs?\s*\(|\b(?:string|number|boolean)\s*\([^()]*,|\b(?:lower|upper|len|left|right|split|parse_url|regex_\w+|datedif)\s*\(\s*(?:properties|event|user)\s*\[/i;
const QUOTED_PROPERTY = /\b(?:properties|event|user)\s*\[\s*''/i;
const PROPERTY = /\b(?:properties|event|user)\s*\[/i;
/** An equals sign before everything, or a function of Excel that is an operator elsewhere. */
const EXCEL_START = /^\s*(?:=\s*[^=\s>]|(?:AND|OR|IF)\s*\([^']*$)/i;
/** A column of the same row, or a function that no other language has. */
const EXCEL_PART = /\[\s*@|\[#This Row\]|\b(?:ISBLANK|ISNUMBER|EXACT)\s*\(/i;
const CEL_PART = /\b(?:has|size|timestamp|duration)\s*\(|\.\s*(?:contains|matches|size|exists|all)\s*\(/;
const SCRIPT_PART = /&&|\|\||[=!]==|\?|![^=~]|\.\s*\w+\s*\(|\.length\b|\b(?:typeof|new)\s/;
/** Syntax that only JavaScript has. */
const ONLY_SCRIPT = /[=!]==|\?\.|\?\?|\bundefined\b|\.\s*includes\s*\(/;
/** Words in upper case, and single `=`. */
const SQL_STYLE = /\b(?:AND|OR|NOT|IN|IS|NULL)\b|(?:^|[^=!<>])=(?:[^=>]|$)|<>|<=>|::|~/;
const SQL_PART =
  /^\s*(?:where|select)\b|\b(?:between|i?like|case|not\s+in|is\s+(?:not\s+)?(?:null|distinct)|regexp|interval)\b|\bexists\s*\(\s*select\b|\bin\s*\(/i;
const SQL_CALL =
  /(?<!\.\s*)\b(?:coalesce|ifnull|nvl|nullif|(?:try_|safe_)?cast|extract|position|strpos|now|equal_null|iff|starts_?with|contains|regexp_\w+|date_\w+|timestamp_\w+|dateadd)\s*\(|\b(?:current_\w+|(?:date|timestamp)\s*')/i;

function detectLanguage(source: string): ForeignLanguage | undefined {
  if (source.length > DEFAULT_LENGTH || tryParse(source).tree !== undefined) return undefined;
  const json = /^\s*\{\s*["']?([^"':\s]+)["']?\s*:/.exec(source);
  if (json !== null) return isJsonLogicOperation(json[1] as string) ? 'JSON Logic' : 'MongoDB';
  const bare = withoutStrings(source);
  if (MIXPANEL_PART.test(bare) || (QUOTED_PROPERTY.test(bare) && MIXPANEL_CALL.test(bare))) return 'Mixpanel';
  if (EXCEL_START.test(source) || EXCEL_PART.test(bare)) return 'Excel';
  if (PROPERTY.test(bare)) return undefined;
  if (CEL_PART.test(bare) || (SCRIPT_PART.test(bare) && /\bin\b/.test(bare) && !ONLY_SCRIPT.test(bare))) return 'CEL';
  if (SCRIPT_PART.test(bare) && !/\b(?:and|or|not)\b/i.test(bare)) return 'JavaScript';
  return [SQL_STYLE, SQL_PART, SQL_CALL].some((pattern) => pattern.test(bare)) ? 'SQL' : undefined;
}

/** Translates an expression of Mixpanel with functions and properties that an expression of onwhere lacks. */
export function translateMixpanel(source: string): Translation {
  return translateWith(source, readMixpanel);
}

/** Translates a formula of Excel. It selects a record if the formula is TRUE. */
export function translateExcel(source: string): Translation {
  return translateWith(source, readExcel);
}

/** Translates the condition of SQL. It selects a record if the condition is true, not if it is unknown. */
export function translateSql(source: string): Translation {
  return translateWith(source, readSql);
}

/** Translates a query document of MongoDB. Fields hold single values, not arrays. */
export function translateMongoDb(source: string): Translation {
  return translateWith(source, (text) => {
    const notes = new Set<string>();
    return { condition: twoValued(readMongoDb(parseJsonTree(text), notes)), notes };
  });
}

/** Translates a rule of JSON Logic. It selects a record if the result is truthy. */
export function translateJsonLogic(source: string): Translation {
  return translateWith(source, (text) => {
    const notes = new Set<string>();
    return { condition: readJsonLogic(parseJsonTree(text), notes), notes };
  });
}

/** Translates a condition of CEL. A record is not selected if reading a missing property decides the result. */
export function translateCel(source: string): Translation {
  return translateWith(source, (text) => {
    const { condition, notes } = readInfix(text, true);
    // Only `defined` takes null and a missing property for the same.
    const nodes = Array.from(walk(condition.isTrue));
    if (nodes.some((node) => node.kind === 'call' && node.operator === 'defined')) notes.add(describeNull('CEL'));
    return { condition, notes };
  });
}

/**
 * Translates a condition of JavaScript and languages like it, in which a missing property is undefined. A record is not
 * selected if calling a method of a missing property decides the result.
 */
export function translateJavaScript(source: string): Translation {
  return translateWith(source, (text) => readInfix(text, false));
}

/** How many steps a translation may take, and how many more for each character. Parts can repeat, which takes many. */
const [MIN_STEPS, STEPS] = [100_000, 20];

function translateWith(
  source: string,
  read: (source: string) => { readonly condition: Condition; readonly notes: Iterable<string> },
): Translation {
  const tooLong = { kind: 'size', reason: TOO_LONG, span: toSpan(source) } as const;
  try {
    const { condition, notes } = limitSteps(MIN_STEPS + STEPS * source.length, () => read(source));
    const expression = print(condition.isTrue);
    return tryParse(expression).diagnostics === undefined ? { expression, notes: [...notes] } : tooLong;
  } catch (error) {
    if (error instanceof StepsExceeded) return tooLong;
    if (!(error instanceof Refusal)) throw error;
    const { kind, reason, span } = error;
    return { kind, reason, span: kind === 'size' && span.end === 0 ? tooLong.span : span };
  }
}

function toSpan(source: string): Span {
  return { start: 0, end: source.length };
}
