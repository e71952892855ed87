import { type CheckOptions, check } from '../../src/api/expressions.ts';
import type { Diagnostic, DiagnosticCode } from '../../src/lang/diagnostic.ts';
import { renderDiagnostics } from '../../src/lang/render.ts';
import { prettyJson } from '../pretty-json.ts';
import { EXAMPLES, type Example } from './examples.ts';

const FOLDER = 'docs/diagnostics';
const GENERATED = '<!-- Written by `npm run generate` from scripts/diagnostics. -->';

/** Descriptions of the option `use`. */
const USES: Readonly<Record<string, string>> = {
  where: "as a filter (`use: 'where'`)",
  number: "as a number to add up (`use: 'number'`)",
};

/** A description of the option `relations`. */
const RELATIONS =
  'The warning is proved: see [how](../guide/relations.md#warnings-about-conditions). The command line, the editors, the page and the server give it; `check` needs the option `relations`.';

/** Returns the pages of all diagnostic codes and their index, by path. */
export function writeDiagnosticPages(): [path: string, text: string][] {
  const pages = Object.entries(EXAMPLES).map(([code, example]) => ({ code, page: writePage(code, example) }));
  return [
    [`${FOLDER}/README.md`, writeIndex(pages.map(({ code }) => code))],
    ...pages.map(({ code, page }): [string, string] => [`${FOLDER}/${code}.md`, page]),
  ];
}

/** Returns the diagnostic with the code that `check` reports for an expression. */
function findDiagnostic(code: string, source: string, options?: CheckOptions): Diagnostic | undefined {
  return check(source, options).diagnostics.find((diagnostic) => diagnostic.code === code);
}

function writePage(code: string, { why, bad, good, options }: Example): string {
  const found = findDiagnostic(code, bad, options);
  if (found === undefined) throw new Error(`The bad example of ${code} is not reported.`);
  const { severity, fix } = found;
  const fixed = fix && bad.slice(0, fix.span.start) + fix.text + bad.slice(fix.span.end);
  return [
    `# ${code}\n`,
    `${GENERATED}\n`,
    `${severity === 'error' ? 'An error: the expression does not compile.' : 'A warning: the expression compiles, but cannot mean what it says.'}\n`,
    `${why}\n`,
    ...describeOptions(options),
    '## Wrong\n',
    fence('text', renderDiagnostics(bad, [found])),
    '## Right\n',
    fence('onwhere', good),
    ...(fixed === good ? ['Editors offer this as a fix.\n'] : []),
    '[All diagnostics](README.md)\n',
  ].join('\n');
}

function describeOptions({ use, schema, relations }: CheckOptions = {}): string[] {
  const parts = use === undefined ? [] : [`onwhere reports it for expressions used ${USES[use]}.\n`];
  if (schema !== undefined) parts.push('The schema of this example:\n', fence('json', prettyJson(schema)));
  if (relations !== undefined) parts.push(`${RELATIONS}\n`);
  return parts;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\`\n`;
}

function writeIndex(codes: readonly string[]): string {
  const rows = codes.map((code) => {
    const { bad, options } = EXAMPLES[code as Exclude<DiagnosticCode, 'unsupported' | 'untranslatable'>];
    const found = findDiagnostic(code, bad, options);
    return `| [${code}](${code}.md) | ${found?.severity} | ${escapeCell(found?.message ?? '')} |`;
  });
  return [
    '# Diagnostics\n',
    `${GENERATED}\n`,
    'Every error and warning has a stable code. `onwhere check` prints it in brackets, `check()` returns it as `code`,',
    'and editors link it to its page. The messages below are those of the examples on the pages.\n',
    '| Code | Severity | Message |',
    '|---|---|---|',
    ...rows,
    '| [unsupported](unsupported.md) | error | The named engine cannot evaluate this exactly. |',
    '| [untranslatable](untranslatable.md) | error | A filter of another language has no exact translation. |',
    '',
  ].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
