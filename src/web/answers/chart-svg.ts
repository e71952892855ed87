import { escapeUnprintable } from '../../base/strings.ts';
import type { ChartData } from '../shared/chart-data.ts';
import { saveFile } from '../shared/save-file.ts';
import { chooseTimeTicks, parseTime } from './days.ts';
import { formatTick } from './numbers.ts';
import { createScale, round } from './scale.ts';

/** The look of a picture. The lines take the colours in turn. */
export interface ChartColors {
  readonly surface: string;
  readonly text: string;
  readonly grid: string;
  readonly lines: readonly string[];
}

const [WIDTH, HEIGHT] = [960, 360];

/** The distances of the lines from the edges, and between ticks of time. */
const EDGE = { left: 80, right: 20, top: 20, bottom: 70 };
const TICK_WIDTH = 100;

/** The size of a saved picture, in pixels for each unit of the SVG file. */
const PIXELS = 2;

/** Draws the first lines of a chart as an SVG file, one for each colour. */
export function formatChartSvg({ buckets, lines }: ChartData, colors: ChartColors): string {
  const drawn = lines.slice(0, colors.lines.length);
  const scale = createScale(drawn.flatMap(({ values }) => values));
  const [right, bottom] = [WIDTH - EDGE.right, HEIGHT - EDGE.bottom];
  const step = (right - EDGE.left) / Math.max(1, buckets.length - 1);
  const x = (at: number) => round(EDGE.left + at * step);
  const y = (value: number) => round(bottom - scale.place(value) * (bottom - EDGE.top));
  const parts = [
    `<rect width="100%" height="100%" fill="${colors.surface}"/>`,
    ...scale.ticks.flatMap((value) => [
      `<path d="M${EDGE.left} ${y(value)}H${right}" stroke="${colors.grid}"/>`,
      formatText(EDGE.left - 8, y(value) + 4, formatTick(value), 'end'),
    ]),
    ...chooseTimeTicks(buckets.map(parseTime), TICK_WIDTH / step).map(({ at, text }) =>
      formatText(x(at), bottom + 20, text, 'middle'),
    ),
    ...drawn.map(({ values }, index) => {
      const points = values.flatMap((value, at) => (value === null ? [] : [`${x(at)},${y(value)}`]));
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${colors.lines[index]}" stroke-width="2"/>`;
    }),
    ...drawn.flatMap(({ name }, index) => {
      const left = EDGE.left + (index * (right - EDGE.left)) / drawn.length;
      return [
        `<rect x="${round(left)}" y="${HEIGHT - 26}" width="12" height="12" fill="${colors.lines[index]}"/>`,
        formatText(left + 18, HEIGHT - 16, name, 'start'),
      ];
    }),
  ];
  const attributes = `viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="${colors.text}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" ${attributes}>${parts.join('')}</svg>\n`;
}

/** Saves an SVG file of a chart as a PNG file, if the browser can paint it. */
export async function saveChartPicture(name: string, svg: string): Promise<void> {
  const image = new Image(WIDTH, HEIGHT);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: PIXELS * WIDTH, height: PIXELS * HEIGHT });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob !== null && saveFile(name, blob));
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
