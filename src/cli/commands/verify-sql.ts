import { SqlSetupError } from '../../api/verify/find-missing-functions.ts';
import {
  type LayoutVerification,
  type SqlDifference,
  type SqlVerification,
  verifyDialect,
} from '../../api/verify/verify-dialect.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../base/strings.ts';
import { openDatabase } from '../databases/open-database.ts';
import { EXIT } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { Io } from '../io.ts';

/** The maximum number of expressions shown per layout, each with its first difference. */
const MAX_SHOWN = 5;

/** Longer expressions, records and results are cut to this number of characters. */
const MAX_LENGTH = 120;

const USES = { where: 'as a filter', on: 'as a segment', number: 'as a number', value: 'as a value' } as const;

/**
 * Compares the results of a database with those of onwhere and prints the differences. Only reads the database.
 *
 * @param name A database, as {@link openDatabase} takes it.
 * @returns The exit code.
 */
export async function verifySql(io: Io, name: string, { json }: { readonly json?: boolean } = {}): Promise<number> {
  const database = await openDatabase(name, io.env);
  try {
    const verification = await verifyDialect(database.run, database.dialect);
    await io.out.print(json ? [JSON.stringify(verification)] : renderVerification(verification).map(escapeUnprintable));
    return verification.isExact ? EXIT.ok : EXIT.expression;
  } catch (error) {
    if (!(error instanceof SqlSetupError)) throw error;
    const setup = `onwhere sql --setup --dialect ${database.dialect.name.toLowerCase()}`;
    const missing = error.missing.join(', ');
    throw new InputError(
      `${database.dialect.name} lacks the functions ${missing}. Run the statements of \`${setup}\`.`,
      {
        cause: error,
      },
    );
  } finally {
    await database.close();
  }
}

/** Renders a verification as text. */
function renderVerification({ dialect, version, isExact, layouts, hints }: SqlVerification): string[] {
  // The version of PostgreSQL begins with its name and ends with the compiler.
  const [short = ''] = version.replace(dialect, '').trim().split(/[ ,]/);
  const compared = layouts.reduce((sum, layout) => sum + layout.compared, 0);
  const different = layouts.reduce((sum, { differences }) => sum + differences.length, 0);
  return [
    `${dialect} ${short}`,
    ...layouts.flatMap(renderLayout),
    ...hints.map((hint) => `hint: ${hint}`),
    isExact
      ? `exact: ${formatInteger(compared)} results equal those of onwhere`
      : `not exact: ${formatInteger(different)} of ${pluralize(compared, 'result')} differ`,
  ];
}

function renderLayout({ layout, compared, differences }: LayoutVerification): string[] {
  const byExpression = new Map<string, SqlDifference>();
  for (const difference of differences.toReversed()) {
    byExpression.set(`${difference.use} ${difference.expression} ${difference.timeZone}`, difference);
  }
  const shown = [...byExpression.values()].reverse().slice(0, MAX_SHOWN);
  const result = differences.length === 0 ? 'exact' : `${formatInteger(differences.length)} differ, for example`;
  return [
    `  ${layout.padEnd(14)}  ${formatInteger(compared).padStart(7)} results  ${result}`,
    ...shown.flatMap(({ expression, use, properties, user, timeZone, expected, actual }) => [
      `    ${cut(expression)} ${USES[use]}${timeZone === undefined ? '' : ` in ${timeZone}`}`,
      `      for ${cut(JSON.stringify({ ...properties, ...(user && { user }) }))}`,
      `      got ${cut(actual)}, expected ${cut(expected)}`,
    ]),
  ];
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
