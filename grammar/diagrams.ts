import {
  Alternation,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionWithSeparator,
  type Rule,
  Terminal,
} from 'chevrotain';
import railroad from 'railroad-diagrams';
import { alternativesOf, hasRule, type Leaf, leafOf, nameOf, RULES } from './rules.ts';

type Item = ReturnType<typeof railroad.Terminal>;

const MARGIN = 20;
const HEADING = 24;
/** Space for half a stroke at the edges. */
const PADDING = 2;

/** Dark text on a white background, so that the diagrams are readable on any page. */
const STYLE = `
rect.ground { fill: #fff; }
text.rule { font: bold 16px sans-serif; fill: #111; }
svg.railroad-diagram path { stroke-width: 2; stroke: #555; fill: none; }
svg.railroad-diagram text { font: 13px monospace; text-anchor: middle; fill: #111; }
svg.railroad-diagram rect { stroke-width: 2; stroke: #555; fill: #eef4fb; }
svg.railroad-diagram rect[rx] { fill: #fdf3dc; }
`;

/** Draws railroad diagrams of all rules, one below the other, as a self-contained SVG image. */
export function drawRules(): string {
  let width = 0;
  let height = MARGIN;
  const rules = Array.from(RULES, ([name, { definition }]) => {
    const diagram = railroad.Diagram(...definition.map(draw)).format(PADDING);
    const heading = `<text class="rule" x="${MARGIN}" y="${height + HEADING / 2}">${name}</text>\n`;
    Object.assign(diagram.attrs, { x: MARGIN, y: height + HEADING });
    width = Math.max(width, diagram.attrs.width + 2 * MARGIN);
    height += HEADING + diagram.attrs.height + MARGIN;
    return heading + titled(name, String(diagram));
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<!-- Written by `npm run generate` from the rules of the grammar. -->',
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

function drawAll(definition: readonly IProduction[]): Item {
  return railroad.Sequence(...definition.map(draw));
}

function draw(node: IProduction): Item {
  if (node instanceof Terminal) return drawLeaf(leafOf(node));
  if (node instanceof NonTerminal) return railroad.NonTerminal(nameOf(node));
  if (node instanceof Alternation) return railroad.Choice(0, ...alternativesOf(node).map(drawAll));
  const inner = drawAll((node as Rule).definition);
  if (node instanceof Option) return railroad.Optional(inner);
  if (node instanceof Repetition) return railroad.ZeroOrMore(inner);
  if (node instanceof RepetitionMandatory) return railroad.OneOrMore(inner);
  if (node instanceof RepetitionWithSeparator) return railroad.ZeroOrMore(inner, drawLeaf(node.separator as Leaf));
  throw new Error(`Cannot draw a diagram for a ${node.constructor.name}`);
}

function drawLeaf(leaf: Leaf): Item {
  return hasRule(leaf) ? railroad.NonTerminal(leaf.LABEL) : railroad.Terminal(leaf.LABEL);
}
