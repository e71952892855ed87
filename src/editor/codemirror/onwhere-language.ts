import { defineLanguageFacet, delimitedIndent, indentNodeProp, Language, languageDataProp } from '@codemirror/language';
import { styleTags } from '@lezer/highlight';
import { ExpressionParser, NODES } from './expression-parser.ts';
import { HIGHLIGHT_TAGS } from './highlight-tags.ts';

const data = defineLanguageFacet({ closeBrackets: { brackets: ['(', '[', '"', "'"] } });

const { bracket, ...others } = HIGHLIGHT_TAGS;

const nodes = NODES.extend(
  languageDataProp.add({ Expression: data }),
  styleTags({ ...others, '( ) [ ]': bracket }),
  indentNodeProp.add({
    Parentheses: delimitedIndent({ closing: ')', align: false }),
    Brackets: delimitedIndent({ closing: ']', align: false }),
  }),
);

/** The language alone: highlighting and brackets, without completion, diagnostics, hover and keys. */
export const onwhereLanguage = new Language(data, new ExpressionParser(nodes), [], 'onwhere');
