import type { FilterSetResults } from '../filter-sets/results.ts';

const [WIDTH, HEIGHT] = [860, 420];
const [LEFT, RIGHT, TOP, BOTTOM] = [90, 200, 60, 50];
const COLOURS = ['#1b6ca8', '#d1495b', '#3d8b5f', '#7a4fa3', '#b5651d'];

/** Renders an SVG chart of the time for an event by the number of filters: a line per contestant, both axes logarithmic. */
export function renderGrowthChart({ sizes }: FilterSetResults): string {
  const names = [...new Set(sizes.flatMap(({ contestants }) => Object.keys(contestants)))];
  const times = sizes.flatMap(({ contestants }) => Object.values(contestants).map(({ median }) => median));
  const ends = (numbers: readonly number[]) => numbers.map((number) => Math.log10(number)).toSorted((a, b) => a - b);
  const decades = (numbers: readonly number[]) =>
    [Math.floor(ends(numbers)[0] ?? 0), Math.ceil(ends(numbers).at(-1) ?? 1)] as const;
  const [xs, ys] = [decades(sizes.map(({ filters }) => filters)), decades(times)];
  const place = (number: number, [low, high]: readonly [number, number]) => (Math.log10(number) - low) / (high - low);
  const x = (filters: number) => LEFT + place(filters, xs) * (WIDTH - LEFT - RIGHT);
  const y = (time: number) => HEIGHT - BOTTOM - place(time, ys) * (HEIGHT - TOP - BOTTOM);
  const title = 'Microseconds to find the filters that match an event, by the number of filters';
  const lines = names.map((name, index) => {
    const points = sizes.flatMap(({ filters, contestants }) => {
      const time = contestants[name]?.median;
      return time === undefined ? [] : [[x(filters), y(time)] as const];
    });
    const colour = COLOURS[index % COLOURS.length];
    const path = points.map((point) => point.map((number) => number.toFixed(1)).join()).join(' ');
    const [left = 0, top = 0] = points.at(-1) ?? [];
    const label = `<text x="${(left + 10).toFixed(1)}" y="${(top + 4).toFixed(1)}" fill="${colour}">${name}</text>`;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${label}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" ` +
      'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#24292f">',
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#fbfbfa"/>`,
    `<text x="20" y="30" font-size="16" font-weight="600">${title}</text>`,
    ...listDecades(xs).map((number) => {
      const at = x(number).toFixed(1);
      return `<text x="${at}" y="${HEIGHT - BOTTOM + 22}" text-anchor="middle">${number.toLocaleString('en-US')}</text>`;
    }),
    ...listDecades(ys).map((number) => {
      const at = y(number).toFixed(1);
      const line = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#d8d8d4"/>`;
      return `${line}<text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${number.toLocaleString('en-US')}</text>`;
    }),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

function listDecades([low, high]: readonly [number, number]): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
}
