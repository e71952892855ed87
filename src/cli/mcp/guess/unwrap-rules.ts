import type { GuessRule } from './guess-rule.ts';

/** Names of the parameter, or of the record, in code of other languages. */
const RECORD = '(?:event|evt|e|record|row|item|data|this|\\$)';

const COMMENT = /--[^\n]*|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g;

/** Leave out what is written around a filter. */
export const UNWRAP_RULES: readonly GuessRule[] = [
  {
    assumption: 'The code block is left out.',
    rewrite: (source) =>
      source.replace(/^\s*(```+)(?:[a-z]*\n)?([\s\S]+?)\1\s*$/, '$2').replace(/^\s*`([^`]*["'=][^`]*)`\s*$/, '$1'),
  },
  {
    assumption: 'The quotes around the whole filter are left out.',
    rewrite: (source) => source.replace(/^\s*(["'])((?:(?!\1)[\s\S])*[[=<>](?:(?!\1)[\s\S])*)\1\s*;?\s*$/, '$2'),
  },
  {
    assumption: 'The backslashes before quotes are left out.',
    rewrite: (source) => (/\[\s*\\["']/.test(source) ? source.replace(/\\(["'])/g, '$1') : source),
  },
  {
    assumption: 'The label before the filter is left out.',
    rewrite: (source) => source.replace(/^\s*(?:where|filter|expression|query|selector)\s*(?::|=(?!=))\s*/i, ''),
  },
  {
    assumption: 'The function around the condition is left out.',
    rewriteCode(code) {
      const [whole = '', inner, bare] = /^\s*(?:\(\s*(\w+)\s*\)|(\w+))\s*=>\s*(?!\{)/.exec(code) ?? [];
      const name = inner ?? bare;
      if (name === undefined) return code;
      const body = code.slice(whole.length);
      return body.replace(new RegExp(`\\b${name}\\.(?:properties\\b)?`, 'g'), (found) =>
        found.endsWith('.') ? 'properties.' : 'properties',
      );
    },
  },
  {
    assumption: 'A name in a template is read as a property.',
    rewriteCode: (code) => code.replace(/\{\{\s*([\w.$]+)\s*\}\}/g, '$1').replace(/\$\{\s*([\w.$]+)\s*\}/g, '$1'),
  },
  { assumption: 'Comments are left out.', rewriteCode: (code) => code.replace(COMMENT, ' ').trim() },
  {
    assumption: 'The properties of the record are those of the event.',
    rewriteCode: (code) => code.replace(new RegExp(`(?<![\\w.$])${RECORD}\\??\\.properties\\b`, 'g'), 'properties'),
  },
  {
    assumption: 'The properties of the user are read as user["…"].',
    rewriteCode: (code) => code.replace(/(?<![\w.])user\??\.properties\b/g, 'user'),
  },
  {
    assumption: 'The inner "properties" are those of the event or the user.',
    rewrite: (source) =>
      source.replace(new RegExp(`(?<![\\w.$])(${RECORD}|user)\\[(["'])properties\\2\\](?=\\[|\\.)`, 'g'), (_, name) =>
        name === 'user' ? 'user' : 'properties',
      ),
  },
  {
    assumption: 'A call of get reads a property.',
    rewriteCode: (code) => code.replace(/(?<![\w.])(properties|user)\??\.get\(\s*([^(),]+?)\s*\)/g, '$1[$2]'),
  },
  {
    assumption: 'A missing property is undefined anyway, so ?. is left out.',
    rewriteCode: (code) => code.replace(/\?\.\[/g, '[').replace(/\?\.(?=\w)/g, '.'),
  },
];
