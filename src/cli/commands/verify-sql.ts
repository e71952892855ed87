import { SqlSetupError } from '../../api/verify/find-missing-functions.ts';
import {
  type LayoutVerification,
  type SqlDifference,
  type SqlVerification,
  verifyDialect,
} from '../../api/verify/verify-dialect.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../lang/util/strings.ts';
import { openDatabase } from '../databases/open-database.ts';
import { EXIT } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { Io } from '../io.ts';

/** How many expressions are shown that a layout answers wrong, each with its first wrong answer. */
const SHOWN = 5;

/** The most characters of an expression, a record or an answer that are shown. */
const WIDTH = 120;

const USES = { where: 'as a filter', on: 'as a segment', number: 'as a number', value: 'as a value' } as const;

/**
 * Prints whether a database answers exactly as onwhere does, or what differs. Nothing is written to the database.
 *
 * @param name As {@link openDatabase} takes it.
 * @returns The exit code.
 */
export async function verifySql(io: Io, name: string): Promise<number> {
  const database = await openDatabase(name, io.env);
  try {
    const verification = await verifyDialect(database.run, database.dialect);
    await io.out.print(verificationLines(verification).map(escapeUnprintable));
    return verification.isExact ? EXIT.ok : EXIT.expression;
  } catch (error) {
    if (!(error instanceof SqlSetupError)) throw error;
    const setup = `onwhere sql --setup --dialect ${database.dialect.name.toLowerCase()}`;
    const missing = error.missing.join(', ');
    throw new InputError(`${database.dialect.name} lacks the functions ${missing}: run what \`${setup}\` prints`, {
      cause: error,
    });
  } finally {
    await database.close();
  }
}

/** A verification as lines for people. */
function verificationLines({ dialect, version, isExact, layouts, hints }: SqlVerification): string[] {
  // PostgreSQL begins with its name, and goes on about the compiler.
  const [short = ''] = version.replace(dialect, '').trim().split(/[ ,]/);
  const compared = layouts.reduce((sum, layout) => sum + layout.compared, 0);
  const different = layouts.reduce((sum, { differences }) => sum + differences.length, 0);
  return [
    `${dialect} ${short}`,
    ...layouts.flatMap(layoutLines),
    ...hints.map((hint) => `hint: ${hint}`),
    isExact
      ? `exact: ${formatInteger(compared)} answers are those of onwhere`
      : `not exact: ${formatInteger(different)} of ${pluralize(compared, 'answer')} differ`,
  ];
}

function layoutLines({ layout, compared, differences }: LayoutVerification): string[] {
  const byExpression = new Map<string, SqlDifference>();
  for (const difference of differences.toReversed()) {
    byExpression.set(`${difference.use} ${difference.expression}`, difference);
  }
  const shown = [...byExpression.values()].reverse().slice(0, SHOWN);
  const result = differences.length === 0 ? 'exact' : `${formatInteger(differences.length)} differ, such as`;
  return [
    `  ${layout.padEnd(14)}  ${formatInteger(compared).padStart(7)} answers  ${result}`,
    ...shown.flatMap(({ expression, use, properties, user, expected, actual }) => [
      `    ${cut(expression)} ${USES[use]}`,
      `      for ${cut(JSON.stringify({ ...properties, ...(user && { user }) }))}`,
      `      is ${cut(actual)} instead of ${cut(expected)}`,
    ]),
  ];
}

function cut(text: string): string {
  return text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text;
}
