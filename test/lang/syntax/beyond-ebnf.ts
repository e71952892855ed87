import type { DiagnosticCode } from '../../../src/lang/diagnostic.ts';
import { POWER } from '../../../src/lang/operators/row.ts';
import { OPERATORS } from '../../../src/lang/operators/table.ts';

/** Returns the codes of errors that the comments of the grammar define, but not its rules: sorted, without duplicates. */
export function beyondEbnf(tokens: readonly string[]): DiagnosticCode[] {
  const codes = tokens.flatMap((token, index): DiagnosticCode[] => {
    const before = tokens.slice(0, index);
    if (token.toLowerCase() === 'not' && getPower(before.at(-1)) > POWER.not) return ['misplaced-not'];
    if (endsWithList(before) && getPower(token) > POWER.comparison) return ['misplaced-list'];
    if (/^[.\d]/.test(token) && !Number.isFinite(Number(token))) return ['number-too-large'];
    return /^["']/.test(token) && hasLoneSurrogate(token) ? ['lone-surrogate'] : [];
  });
  return [...new Set(codes)].sort();
}

/** Returns the power of an operator. Which `-` it finds does not matter: both bind tighter than the limits above. */
function getPower(token: string | undefined): number {
  const row = OPERATORS.find(({ name, fixity }) => name === token?.toLowerCase() && fixity !== 'function');
  return row?.power ?? 0;
}

function endsWithList(tokens: readonly string[]): boolean {
  return tokens.at(-1) === ']' && tokens[tokens.lastIndexOf('[') - 1]?.toLowerCase() === 'in';
}

function hasLoneSurrogate(token: string): boolean {
  const text = token.replace(/\\(?:u(....)|.)/g, (_, code: string | undefined) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /\p{Surrogate}/u.test(text);
}
