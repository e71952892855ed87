import { isDeepStrictEqual } from 'node:util';
import railroad from 'railroad-diagrams';
import { unreachable } from '../src/util/unreachable.ts';
import { type Ebnf, type Grammar, sequence } from './ebnf.ts';

type Item = ReturnType<typeof railroad.Terminal>;

const MARGIN = 20;
const HEADING = 24;
/** Room for half a stroke at the edges. */
const PADDING = 2;

/** Dark text on a white ground of its own, so that the page around it does not matter. */
const STYLE = `
rect.ground { fill: #fff; }
text.rule { font: bold 16px sans-serif; fill: #111; }
svg.railroad-diagram path { stroke-width: 2; stroke: #555; fill: none; }
svg.railroad-diagram text { font: 13px monospace; text-anchor: middle; fill: #111; }
svg.railroad-diagram rect { stroke-width: 2; stroke: #555; fill: #eef4fb; }
svg.railroad-diagram rect[rx] { fill: #fdf3dc; }
`;

/** Railroad diagrams of all rules, one below the other, as one SVG image that needs nothing from elsewhere. */
export function drawGrammar(grammar: Grammar): string {
  let width = 0;
  let height = MARGIN;
  const rules = Array.from(grammar, ([name, rule]) => {
    const diagram = railroad.Diagram(draw(rule)).format(PADDING);
    const heading = `<text class="rule" x="${MARGIN}" y="${height + HEADING / 2}">${name}</text>\n`;
    Object.assign(diagram.attrs, { x: MARGIN, y: height + HEADING });
    width = Math.max(width, diagram.attrs.width + 2 * MARGIN);
    height += HEADING + diagram.attrs.height + MARGIN;
    return heading + titled(name, String(diagram));
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<!-- Written by `npm run generate` from onwhere.ebnf. -->',
    '<title>Syntax of onwhere expressions</title>',
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `${rules.join('')}</svg>`,
    '',
  ].join('\n');
}

function titled(title: string, svg: string): string {
  const contents = svg.indexOf('>') + 1;
  return `${svg.slice(0, contents)}\n<title>${title}</title>${svg.slice(contents)}`;
}

function draw(node: Ebnf): Item {
  switch (node.kind) {
    case 'terminal':
      return railroad.Terminal(node.text);
    case 'rule':
      return railroad.NonTerminal(node.name);
    case 'special':
    case 'exception':
      return railroad.NonTerminal(inWords(node));
    case 'sequence':
      return railroad.Sequence(...drawRow(node.items));
    case 'choice':
      return railroad.Choice(0, ...node.items.map(draw));
    case 'optional':
      return railroad.Optional(draw(node.item));
    case 'repetition':
      return railroad.ZeroOrMore(draw(node.item));
    default:
      return unreachable(node);
  }
}

/** An item and a repetition that ends with it, `a , { "," , a }`, are one loop with what is between on its way back. */
function drawRow([item, next, ...rest]: readonly Ebnf[]): Item[] {
  if (item === undefined) return [];
  if (next === undefined) return [draw(item)];
  const repeated = next.kind === 'repetition' ? itemsOf(next.item) : [];
  if (!isDeepStrictEqual(repeated.at(-1), item)) return [draw(item), ...drawRow([next, ...rest])];
  const between = repeated.slice(0, -1);
  const loop = railroad.OneOrMore(draw(item), between.length > 0 ? draw(sequence(between)) : undefined);
  return [loop, ...drawRow(rest)];
}

function itemsOf(node: Ebnf): readonly Ebnf[] {
  return node.kind === 'sequence' ? node.items : [node];
}

/** What can only be said, not drawn. */
function inWords(node: Ebnf): string {
  switch (node.kind) {
    case 'terminal':
    case 'special':
      return node.text;
    case 'rule':
      return node.name;
    case 'choice':
      return node.items.map(inWords).join(' and ');
    case 'exception':
      return `${inWords(node.item)} except ${inWords(node.except)}`;
    default:
      throw new Error(`There are no words for an exception of a ${node.kind}`);
  }
}
