import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { ChartData } from './chart-data.ts';

/** The look of a picture. The lines take the colours in turn. */
export interface ChartColors {
  readonly surface: string;
  readonly text: string;
  readonly grid: string;
  readonly lines: readonly string[];
}

const [WIDTH, HEIGHT] = [960, 360];

/** The distances of the lines from the edges. */
const EDGE = { left: 80, right: 20, top: 20, bottom: 70 };

const TICKS = 4;

/** Draws the first lines of a chart as an SVG file, one for each colour. */
export function formatChartSvg({ buckets, lines }: ChartData, colors: ChartColors): string {
  const drawn = lines.slice(0, colors.lines.length);
  const numbers = drawn.flatMap(({ values }) => values.filter((value) => value !== null));
  const [least, most] = [
    numbers.reduce((low, value) => Math.min(low, value), 0),
    numbers.reduce((high, value) => Math.max(high, value), 0),
  ];
  const height = HEIGHT - EDGE.top - EDGE.bottom;
  const step = (WIDTH - EDGE.left - EDGE.right) / Math.max(1, buckets.length - 1);
  const x = (at: number) => round(EDGE.left + at * step);
  // Halves, because the distance of the largest numbers is infinite. Half of the smallest number is 0.
  const halfRange = most / 2 - least / 2;
  const y = (value: number) =>
    round(EDGE.top + height - (halfRange === 0 ? 0 : (value / 2 - least / 2) / halfRange) * height);
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => least + (most / TICKS - least / TICKS) * tick);
  const every = Math.max(1, Math.ceil(buckets.length / 6));
  const parts = [
    `<rect width="100%" height="100%" fill="${colors.surface}"/>`,
    ...ticks.flatMap((value) => [
      `<path d="M${EDGE.left} ${y(value)}H${WIDTH - EDGE.right}" stroke="${colors.grid}"/>`,
      formatText(EDGE.left - 8, y(value) + 4, formatInteger(value), 'end'),
    ]),
    ...buckets.flatMap((bucket, at) =>
      at % every === 0 ? [formatText(x(at), HEIGHT - EDGE.bottom + 20, bucket, 'middle')] : [],
    ),
    ...drawn.map(({ values }, index) => {
      const points = values.flatMap((value, at) => (value === null ? [] : [`${x(at)},${y(value)}`]));
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${colors.lines[index]}" stroke-width="2"/>`;
    }),
    ...drawn.flatMap(({ name }, index) => {
      const left = EDGE.left + (index * (WIDTH - EDGE.left - EDGE.right)) / drawn.length;
      return [
        `<rect x="${round(left)}" y="${HEIGHT - 26}" width="12" height="12" fill="${colors.lines[index]}"/>`,
        formatText(left + 18, HEIGHT - 16, name, 'start'),
      ];
    }),
  ];
  const attributes = `viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="${colors.text}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" ${attributes}>${parts.join('')}</svg>\n`;
}

function formatText(x: number, y: number, text: string, anchor: string): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

/** Escapes a text for XML, and replaces what XML cannot hold. */
function escapeXml(text: string): string {
  return escapeUnprintable(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
