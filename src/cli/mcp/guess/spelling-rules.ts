import type { GuessRule } from './guess-rule.ts';
import { PROPERTY, readText, STRING } from './masked-source.ts';

const NUMBER_TYPES =
  '(?:small|big)?int(?:eger)?\\d*|float\\d*|double(?:\\s+precision)?|real|numeric(?:\\([\\d,\\s]*\\))?|decimal(?:\\([\\d,\\s]*\\))?|number';
const TO_NUMBER = /(?<![\w.])(?:parseFloat|parseInt|int|float|double|to_number|toNumber|tonumber|Number)\s*\(/g;
const TO_DATETIME =
  /(?<![\w.])(?:new\s+Date|Date\.parse|to_date|toDate|toDateTime|to_timestamp|parse_date|parseDateTime|date|timestamp)\s*\(/gi;

/** Characters with a meaning in patterns. */
const PATTERN_CHARACTERS = /[\\^$.*+?()[\]{}|]/;

/** Returns the literal text that a pattern searches, undefined for other patterns. */
function readPlainPattern(pattern: string): string | undefined {
  const plain = pattern
    .replace(/^(?:\.\*)?/, '')
    .replace(/(?:\.\*)?$/, '')
    .replace(/\\([.\-/])/g, '$1');
  return PATTERN_CHARACTERS.test(plain.replaceAll('.', '')) || plain === '' ? undefined : plain;
}

function searchPlain(pattern: string, property: string): string | undefined {
  const plain = readPlainPattern(pattern);
  return plain === undefined ? undefined : `${JSON.stringify(plain)} in ${property}`;
}

/** Spell operators, functions and numbers of other languages. */
export const SPELLING_RULES: readonly GuessRule[] = [
  {
    assumption: '≤, ≥ and ≠ are read as <=, >= and !=, and =! as !=.',
    rewriteCode: (code) =>
      code
        .replaceAll('≤', '<=')
        .replaceAll('≥', '>=')
        .replaceAll('≠', '!=')
        .replace(/=!(?!=)/g, '!='),
  },
  {
    assumption: 'Units after numbers are left out.',
    rewriteCode: (code) =>
      code.replace(/(?<![\w.])(\d+(?:\.\d+)?)\s*(?:[€£¥$%]|(?:EUR|USD|GBP|euros?|dollars?|cents?)\b)/g, '$1'),
  },
  {
    assumption: 'Suffixes and underscores of numbers are left out.',
    rewriteCode: (code) =>
      code
        .replace(/(?<![\w.])(\d[\d_]*(?:\.\d+)?)[fFdDlLuUmn](?!\w)/g, '$1')
        .replace(/(?<![\w.])\d+(?:_\d+)+(?![\w.])/g, (digits) => digits.replaceAll('_', '')),
  },
  {
    assumption: 'A comma between groups of three digits separates thousands.',
    rewriteCode: (code) =>
      code.replace(/(?<![\w.,[])(\d{1,3}(?:,\d{3})+)(?![\w,\]])/g, (digits) => digits.replaceAll(',', '')),
  },
  {
    assumption: 'Braces or parentheses after in hold a list.',
    rewriteCode: (code) => code.replace(/\bin\s*\{\s*\[?([^{}[\]]*)\]?\s*\}/gi, 'in [$1]'),
  },
  {
    assumption: 'Equal to a list is read as one of its values.',
    rewriteCode: (code) =>
      code
        .replace(new RegExp(`(${PROPERTY})\\s*(?:!==?|<>)\\s*\\[`, 'g'), 'not $1 in [')
        .replace(new RegExp(`(${PROPERTY})\\s*={1,3}\\s*\\[`, 'g'), '$1 in ['),
  },
  {
    assumption: 'Casts to numbers are read as number(…), which keeps fractions and reads no other text than numbers.',
    rewriteCode: (code) =>
      code
        .replace(
          new RegExp(`\\b(?:try_|safe_)?cast\\s*\\(\\s*(${PROPERTY})\\s+as\\s+(?:${NUMBER_TYPES})\\s*\\)`, 'gi'),
          'number($1)',
        )
        .replace(new RegExp(`(${PROPERTY})\\s*::\\s*(?:${NUMBER_TYPES})`, 'gi'), 'number($1)')
        .replace(TO_NUMBER, 'number('),
  },
  {
    assumption: 'Casts to strings are read as string(…).',
    rewriteCode: (code) => code.replace(/(?<![\w.])(?:str|String|to_string|toString)\s*\(/g, 'string('),
  },
  {
    assumption: 'Functions of numbers are spelled out. round rounds halves away from zero.',
    rewriteCode: (code) =>
      code
        .replace(/\b(?:Math|math)\.(?=(?:floor|ceil|round|abs)\()/g, '')
        .replace(/\b(floor|ceil|round)\s*\(/gi, (_, name) => `${name.toLowerCase()}(`)
        .replace(/\bceiling\s*\(/gi, 'ceil(')
        .replace(/\bmod\s*\(([^(),]+),([^(),]+)\)/gi, '($1) % ($2)')
        .replace(
          new RegExp(`\\babs\\s*\\(\\s*(${PROPERTY})\\s*\\)\\s*(>=?)\\s*(\\d+(?:\\.\\d+)?)`, 'gi'),
          '($1 $2 $3 or 0 - $1 $2 $3)',
        ),
  },
  {
    assumption: 'Dates are read as datetime("…"), in seconds.',
    rewriteCode: (code) =>
      code
        .replace(new RegExp(`\\bnew\\s+Date\\(\\s*(${PROPERTY})\\s*\\)(?:\\.getTime\\(\\))?`, 'g'), '$1')
        .replace(new RegExp(`${TO_DATETIME.source}(?=\\s*${STRING})`, 'gi'), 'datetime(')
        .replace(/(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])/g, (day, at: number, whole: string) => {
          return /datetime\(\s*$/.test(whole.slice(0, at)) ? `"${day}"` : `datetime("${day}")`;
        }),
  },
  {
    assumption: 'A pattern without special characters is read as a part of the string.',
    rewriteCode: (code, strings) =>
      code
        .replace(
          new RegExp(`(${PROPERTY})\\s*=?~\\*?\\s*/((?:[^/\\\\\\n]|\\\\.)+)/[a-z]*`, 'g'),
          (found, property, pattern) => searchPlain(pattern, property) ?? found,
        )
        .replace(
          new RegExp(
            `(${PROPERTY})\\s*(?:=?~\\*?|\\bregexp\\b|\\brlike\\b|\\bmatches\\b)\\s*${STRING.replace('\\d+', '(\\d+)')}`,
            'gi',
          ),
          (found, property, index) => searchPlain(readText(strings[Number(index)] ?? ''), property) ?? found,
        )
        .replace(
          new RegExp(
            `\\b(?:matches|regex\\w*|regexp\\w*)\\s*\\(\\s*(${PROPERTY})\\s*,\\s*${STRING.replace('\\d+', '(\\d+)')}\\s*\\)`,
            'gi',
          ),
          (found, property, index) => searchPlain(readText(strings[Number(index)] ?? ''), property) ?? found,
        ),
  },
  {
    assumption: 'The place of a part in a string is read as whether it has the part.',
    rewriteCode: (code) =>
      code
        .replace(
          new RegExp(`\\bposition\\s*\\(\\s*(${STRING})\\s+in\\s+(${PROPERTY})\\s*\\)\\s*(?:>\\s*0|>=\\s*1)`, 'gi'),
          '$1 in $2',
        )
        .replace(
          new RegExp(
            `\\b(?:strpos|instr|charindex|locate)\\s*\\(\\s*(${PROPERTY})\\s*,\\s*(${STRING})\\s*\\)\\s*(?:>\\s*0|>=\\s*1)`,
            'gi',
          ),
          '$2 in $1',
        )
        .replace(
          new RegExp(
            `(${PROPERTY})\\.(?:indexOf|search|find)\\(\\s*(${STRING})\\s*\\)\\s*(?:!==?\\s*-1|>=\\s*0|>\\s*-1)`,
            'g',
          ),
          '$2 in $1',
        )
        .replace(
          new RegExp(
            `(properties\\[${STRING}\\]|${PROPERTY.replace('(?:\\.[\\w$]+)*', '(?:\\.[\\w$]+)*?')})\\.indexOf\\(\\s*(${STRING})\\s*\\)\\s*(?:!==?\\s*-1|>=\\s*0|>\\s*-1)`,
            'g',
          ),
          '$2 in $1',
        ),
  },
  {
    assumption: 'Upper and lower case must match: strings are compared exactly.',
    rewriteCode: (code) =>
      code
        .replace(new RegExp(`\\b(?:lower|upper|lcase|ucase|trim)\\s*\\(\\s*(${PROPERTY})\\s*\\)`, 'gi'), '$1')
        .replace(/\.(?:toLowerCase|toUpperCase|lower|upper|trim|strip)\(\)/g, '')
        .replace(/\bilike\b/gi, 'like'),
  },
  {
    assumption: 'LIKE with % on both sides is read as a part of the string.',
    rewriteCode: (code, strings) =>
      code.replace(
        new RegExp(`(${PROPERTY})\\s+like\\s+${STRING.replace('\\d+', '(\\d+)')}`, 'gi'),
        (found, property, index) => {
          const [, part] = /^%([^%_]+)%$/.exec(readText(strings[Number(index)] ?? '')) ?? [];
          return part === undefined ? found : `${JSON.stringify(part)} in ${property}`;
        },
      ),
  },
  {
    assumption: 'A length of 0 and "empty" are read as the empty string.',
    rewriteCode: (code) =>
      code
        .replace(new RegExp(`(${PROPERTY})\\s+is\\s+not\\s+empty\\b`, 'gi'), '$1 != ""')
        .replace(new RegExp(`(${PROPERTY})\\s+is\\s+empty\\b`, 'gi'), '$1 == ""')
        .replace(
          new RegExp(
            `\\b(?:len|length|char_length|size)\\s*\\(\\s*(${PROPERTY})\\s*\\)\\s*(={1,3}|!==?|<>|>)\\s*0(?![\\d.])`,
            'gi',
          ),
          (_, property, operator) => `${property} ${operator.startsWith('=') ? '==' : '!='} ""`,
        ),
  },
  {
    assumption: 'Comparisons in words are read as signs.',
    rewriteCode: (code) =>
      code
        .replace(/\bis\s+(?=(?:not\s+)?between\b)/gi, '')
        .replace(/\bis\s+at\s+most\b|\bat\s+most\b/gi, '<=')
        .replace(/\bis\s+at\s+least\b|\bat\s+least\b/gi, '>=')
        .replace(/\b(?:is\s+)?(?:more|greater|larger|higher)\s+than\b/gi, '>')
        .replace(/\b(?:is\s+)?(?:less|fewer|smaller|lower)\s+than\b/gi, '<'),
  },
];
