import type { ISerializedGast } from 'chevrotain';
import { choice, type Ebnf, type Grammar, sequence } from '../../grammar/ebnf.ts';
import type { Parser } from '../../src/syntax/parser.ts';

/** The rules that the parser follows, in the terms of the EBNF. */
export function productionsOf(parser: Parser): Grammar {
  return new Map(parser.getSerializedGastProductions().map((rule) => [ruleName(nameOf(rule)), inSequence(rule)]));
}

function toEbnf(production: ISerializedGast): Ebnf {
  switch (production.type) {
    case 'NonTerminal':
      return { kind: 'rule', name: ruleName(nameOf(production)) };
    case 'Terminal':
      return token(nameOf(production));
    case 'Alternative':
      return inSequence(production);
    case 'Alternation':
      return choice(partsOf(production));
    case 'Option':
      return { kind: 'optional', item: inSequence(production) };
    case 'Repetition':
      return { kind: 'repetition', item: inSequence(production) };
    default:
      throw new Error(`EBNF has no ${production.type}`);
  }
}

/** A word or symbol is named as it is written; a capital begins the name of a category, or of a token with a rule. */
function token(name: string): Ebnf {
  return /^[A-Z]/.test(name) ? { kind: 'rule', name: ruleName(name) } : { kind: 'terminal', text: name };
}

function inSequence(production: ISerializedGast): Ebnf {
  return sequence(partsOf(production));
}

function partsOf({ definition = [] }: ISerializedGast): Ebnf[] {
  return definition.map(toEbnf);
}

/** `listItem` and `BinaryOperator` are `list-item` and `binary-operator` in the EBNF. */
function ruleName(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
}

function nameOf(production: ISerializedGast): string {
  return (production as ISerializedGast & { name: string }).name;
}
