/**
 * Filters whose names and values TypeScript checks while they are written. At run time they are those of `onwhere`.
 *
 * @module onwhere/typed
 */

import type { Value } from '../lang/value.ts';
import type { About, CompileOptions } from './expressions.ts';
import { compile, compileNumber, compileOn, compileWhere } from './expressions.ts';

/** A compiled expression over records of these types. */
export interface TypedFilter<Event extends object, User extends object, Result> extends About {
  (properties: Event, user?: User): Result;
}

/** The compilers of `onwhere` for records of these types. Each takes a {@link CheckedText}. */
export interface TypedCompilers<Event extends object, User extends object> {
  compile<const Text extends string>(
    source: CheckedText<Text, Event, User>,
    options?: CompileOptions,
  ): TypedFilter<Event, User, Value>;
  compileWhere<const Text extends string>(
    source: CheckedText<Text, Event, User>,
    options?: CompileOptions,
  ): TypedFilter<Event, User, boolean>;
  compileOn<const Text extends string>(
    source: CheckedText<Text, Event, User>,
    options?: CompileOptions,
  ): TypedFilter<Event, User, string[]>;
  compileNumber<const Text extends string>(
    source: CheckedText<Text, Event, User>,
    options?: CompileOptions,
  ): TypedFilter<Event, User, number>;
}

const COMPILERS = { compile, compileNumber, compileOn, compileWhere };

/**
 * Returns compilers whose texts TypeScript checks against the types of your records: the names of properties, and the
 * literals that `==`, `!=`, `<`, `<=`, `>`, `>=` and `in` compare them with. TypeScript does not check the rest of the
 * language, names with escapes, or a text that is not a literal: the compilers do, as those of `onwhere`.
 *
 * @typeParam Event The properties of an event.
 * @typeParam User The properties of its user. By default, any.
 *
 * @example
 * interface Purchase { plan: 'free' | 'pro'; amount: number }
 * const { compileWhere } = filtersFor<Purchase>();
 * compileWhere('properties["plan"] == "pro"')({ plan: 'pro', amount: 5 }); // true
 */
export function filtersFor<
  Event extends object,
  User extends object = Readonly<Record<string, unknown>>,
>(): TypedCompilers<Event, User> {
  return COMPILERS as TypedCompilers<Event, User>;
}

/**
 * The type of a text without mistakes about records of these types. For one with a mistake, a message: TypeScript says that
 * the text is not assignable to it.
 */
export type CheckedText<Text extends string, Event, User> = [string] extends [Text]
  ? Text
  : FindMistake<Text, Event, User> extends infer Mistake
    ? [Mistake] extends [never]
      ? Text
      : Mistake
    : never;

type Space = ' ' | '\t' | '\n' | '\r';

type TrimStart<Text extends string> = Text extends `${Space}${infer Rest}` ? TrimStart<Rest> : Text;

type TrimEnd<Text extends string> = Text extends `${infer Rest}${Space}` ? TrimEnd<Rest> : Text;

/** Finds the first mistake in a text, `never` if there is none. Only strings can hold brackets and words that mean nothing. */
type FindMistake<Text extends string, Event, User> =
  SplitString<Text> extends [infer Code extends string, infer Content, infer Rest extends string]
    ? CheckString<ReadScope<Lowercase<TrimEnd<Code>>>, Content, Rest, Event, User> extends infer Mistake
      ? [Mistake] extends [never]
        ? FindMistake<Rest, Event, User>
        : Mistake
      : never
    : never;

/** Splits a text at its first string: the code before it, its characters and the rest. Those with escapes are `undefined`. */
type SplitString<Text extends string> = Text extends `${infer Before}"${infer Rest}`
  ? Before extends `${infer Earlier}'${string}`
    ? Text extends `${Earlier}'${infer Later}`
      ? CloseString<Earlier, Later, "'">
      : undefined
    : CloseString<Before, Rest, '"'>
  : Text extends `${infer Before}'${infer Rest}`
    ? CloseString<Before, Rest, "'">
    : undefined;

type CloseString<
  Code extends string,
  Text extends string,
  Quote extends string,
> = Text extends `${infer Content}${Quote}${infer Rest}`
  ? Content extends `${string}\\${string}`
    ? SkipEscapes<Code, Text, Quote>
    : [Code, Content, Rest]
  : undefined;

/** Finds the end of a string with escapes, each of which can be a quote. */
type SkipEscapes<
  Code extends string,
  Text extends string,
  Quote extends string,
> = Text extends `${infer Content}${Quote}${infer Rest}`
  ? Content extends `${string}\\${infer Escaped}`
    ? Escaped extends `${infer _}${infer Later}`
      ? SkipEscapes<Code, `${Later}${Quote}${Rest}`, Quote>
      : SkipEscapes<Code, Rest, Quote>
    : [Code, undefined, Rest]
  : undefined;

/** Reads the scope before the name of a property: the scope, and the code before it. */
type ReadScope<Code extends string> = Code extends `${infer Outer}[`
  ? TrimEnd<Outer> extends `${infer Before}properties`
    ? ['properties', TrimEnd<Before>]
    : TrimEnd<Outer> extends `${infer Before}event`
      ? ['event', TrimEnd<Before>]
      : TrimEnd<Outer> extends `${infer Before}user`
        ? ['user', TrimEnd<Before>]
        : undefined
  : undefined;

/** Checks a string that may be the name of a property. */
type CheckString<Read, Content, Rest extends string, Event, User> = [Read, Content] extends [
  [infer Scope extends string, infer Before extends string],
  infer Name extends string,
]
  ? CheckProperty<Name, Scope extends 'user' ? User : Event, `${Scope}["${Name}"]`, Before, TrimStart<Rest>>
  : never;

type CheckProperty<
  Name,
  Known,
  Read extends string,
  Before extends string,
  Rest extends string,
> = Name extends `${KeysOf<Known>}`
  ? [StartsOperand<Before>, Rest] extends [true, `]${infer After}`]
    ? CheckComparison<TrimStart<After>, NonNullable<ValuesOf<Known, Name>>, Read>
    : never
  : `There is no ${Read} in these types`;

/** The names of the properties of a type. Each type of a union may have its own. */
type KeysOf<Known> = Known extends unknown ? keyof Known & (string | number) : never;

type ValuesOf<Known, Name> = Known extends unknown ? (Name extends keyof Known ? Known[Name] : unknown) : never;

/** True if a property after this code is a whole operand of a comparison that follows. */
type StartsOperand<Code extends string> = Code extends '' | `${string}${'(' | 'and' | 'or' | 'not'}` ? true : false;

/** True if a literal before this code is a whole operand of a comparison. */
type EndsOperand<Code extends string> =
  Lowercase<TrimStart<Code>> extends '' | `${')' | 'and' | 'or'}${string}` ? true : false;

type CheckComparison<Text extends string, Known, Read extends string> = Text extends `${'==' | '!='}${infer Right}`
  ? CheckLiteral<TrimStart<Right>, Known, Read, 'is never'>
  : Text extends `${'<' | '>'}${infer Right}`
    ? CheckLiteral<
        TrimStart<Right extends `=${infer Operand}` ? Operand : Right>,
        Widen<Known>,
        Read,
        'is not ordered with'
      >
    : Text extends `${'i' | 'I'}${'n' | 'N'}${infer Right}`
      ? TrimStart<Right> extends `[${infer Items}`
        ? CheckItems<TrimStart<Items>, Known, Read>
        : never
      : never;

/** The types of literals that are compared by order, without their values. */
type Widen<Known> = Known extends string ? string : Known extends number ? number : Known;

/** Checks a literal that is the whole right operand of a comparison. */
type CheckLiteral<Text extends string, Known, Read extends string, Relation extends string> =
  ReadLiteral<Text> extends [infer Literal extends string | number | boolean, infer Rest extends string]
    ? EndsOperand<Rest> extends true
      ? CheckValue<Literal, Known, Read, Relation>
      : never
    : never;

/** Checks the items of a list of literals. */
type CheckItems<Text extends string, Known, Read extends string> =
  ReadLiteral<Text> extends [infer Literal extends string | number | boolean, infer Rest extends string]
    ? CheckValue<Literal, Known, Read, 'is never'> extends infer Mistake
      ? [Mistake] extends [never]
        ? TrimStart<Rest> extends `,${infer Items}`
          ? CheckItems<TrimStart<Items>, Known, Read>
          : never
        : Mistake
      : never
    : never;

/** Reads a literal at the start of a text: its type, and the rest. Numbers that JavaScript prints otherwise are `number`. */
type ReadLiteral<Text extends string> =
  SplitString<Text> extends ['', infer Content extends string, infer Rest extends string]
    ? [Content, Rest]
    : TokenOf<Text> extends infer Token extends string
      ? Text extends `${Token}${infer Rest}`
        ? Token extends `${infer Literal extends number}`
          ? [Literal, Rest]
          : Lowercase<Token> extends `${infer Literal extends boolean}`
            ? [Literal, Rest]
            : undefined
        : undefined
      : undefined;

/** The text up to the first space or symbol that ends a number or a word in a comparison. */
type TokenOf<Text extends string, Ends = [' ', '\t', '\n', '\r', ')', ']', ',']> = Ends extends [
  infer End extends string,
  ...infer Others,
]
  ? TokenOf<TextBefore<Text, End>, Others>
  : Text;

type TextBefore<Text extends string, End extends string> = Text extends `${infer Before}${End}${string}`
  ? Before
  : Text;

/** Checks a literal that a property is compared with. Lists and unknown types are compared with anything. */
type CheckValue<
  Literal extends string | number | boolean,
  Known,
  Read extends string,
  Relation extends string,
> = unknown extends Known
  ? never
  : [Extract<Known, object>] extends [never]
    ? Literal extends Known
      ? never
      : [number extends Literal ? Extract<Known, number> : never] extends [never]
        ? `${Read} ${Relation} ${Literal extends string ? `"${Literal}"` : Literal}`
        : never
    : never;
