import ts from 'typescript';

type TypeName = 'string' | 'number' | 'boolean' | 'missing';

/** The type of each name that random filters use. */
const TYPES: Readonly<Record<string, TypeName>> = {
  plan: 'string',
  country: 'string',
  amount: 'number',
  score: 'number',
  active: 'boolean',
  is_trial: 'boolean',
  undefined: 'missing',
};

/** Literals that stand for other types in comparisons. */
const LOOSE_LITERALS = ['0', '1', 'true', 'false'];

class MixedTypes extends Error {}

/** Returns whether a filter of JavaScript only computes with numbers, and compares values of one type. */
export function hasOneTypePerComparison(source: string): boolean {
  const file = ts.createSourceFile('filter.ts', `(${source})`, ts.ScriptTarget.Latest, true);
  try {
    const [statement] = file.statements;
    if (statement === undefined || !ts.isExpressionStatement(statement)) return false;
    inferTypes(statement.expression);
    return true;
  } catch (error) {
    if (error instanceof MixedTypes) return false;
    throw error;
  }
}

function inferTypes(node: ts.Node): readonly TypeName[] {
  if (ts.isParenthesizedExpression(node)) return inferTypes(node.expression);
  if (ts.isIdentifier(node)) return [TYPES[node.text] ?? 'missing'];
  if (ts.isStringLiteral(node)) return ['string'];
  if (ts.isNumericLiteral(node)) return ['number'];
  if (node.kind === ts.SyntaxKind.NullKeyword) return ['missing'];
  if (ts.isConditionalExpression(node)) {
    inferTypes(node.condition);
    return [...inferTypes(node.whenTrue), ...inferTypes(node.whenFalse)];
  }
  if (ts.isPrefixUnaryExpression(node)) {
    const types = inferTypes(node.operand);
    return node.operator === ts.SyntaxKind.ExclamationToken ? ['boolean'] : expectTypes(types, ['number']);
  }
  if (ts.isBinaryExpression(node)) return inferBinary(node);
  // The tests of strings and lists.
  if (ts.isPropertyAccessExpression(node)) inferTypes(node.expression);
  if (ts.isCallExpression(node)) inferTypes(node.expression);
  if (ts.isCallExpression(node)) for (const argument of node.arguments) expectTypes(inferTypes(argument), ['string']);
  return ['boolean'];
}

function inferBinary({ left, right, operatorToken }: ts.BinaryExpression): readonly TypeName[] {
  const types = [...inferTypes(left), ...inferTypes(right)];
  const operator = operatorToken.getText();
  if (['&&', '||', '??'].includes(operator)) return types;
  if (['+', '-', '*', '/', '%'].includes(operator)) return expectTypes(types, ['number']);
  const isLoose = [left, right].some((side) => LOOSE_LITERALS.includes(side.getText()));
  const isEquality = operator.includes('==') || operator.startsWith('!=');
  if (!isEquality) expectTypes(types, ['number']);
  else if (!isLoose && new Set(types.filter((type) => type !== 'missing')).size > 1) throw new MixedTypes();
  return ['boolean'];
}

function expectTypes(types: readonly TypeName[], expected: readonly TypeName[]): readonly TypeName[] {
  if (types.every((type) => expected.includes(type))) return types;
  throw new MixedTypes();
}
