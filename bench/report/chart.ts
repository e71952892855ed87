import type { Measurement } from '../results.ts';
import { computeGeometricMean } from '../statistics.ts';
import { computeRatio, findMeasurement } from './reference.ts';
import { formatNumber, type TableSpec } from './table.ts';

const ROW = 24;
const LEFT = 230;
const WIDTH = 860;
const RIGHT = 44;
const TOP = 76;
const BOTTOM = 42;
const COLOURS = ['#1b6ca8', '#d1495b', '#3d8b5f', '#7a4fa3'];

interface Row {
  readonly engine: string;
  /** The time on each case, if there is one. */
  readonly times: readonly (number | undefined)[];
}

/**
 * Renders an SVG chart of points on a logarithmic scale: a row per engine, a color per case, the fastest engine first.
 * It
 * has a light background, to be readable on any page.
 */
export function renderChart(measurements: readonly Measurement[], spec: TableSpec, title: string): string {
  const rows = rowsOf(measurements, spec);
  const all = rows.flatMap(({ times }) => times.filter((time) => time !== undefined));
  const decades = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))] as const;
  const x = (time: number) =>
    LEFT + ((Math.log10(time) - decades[0]) / (decades[1] - decades[0])) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * ROW + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
      'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#24292f">',
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#fbfbfa"/>`,
    `<text x="20" y="30" font-size="16" font-weight="600">${title}</text>`,
    ...drawLegend(spec.cases),
    ...drawAxis(decades, x, height),
    ...rows.flatMap((row, index) => drawRow(row, TOP + (index + 0.5) * ROW, x)),
    '</svg>\n',
  ].join('\n');
}

function rowsOf(measurements: readonly Measurement[], { section, metric, cases }: TableSpec): Row[] {
  const engines = new Set(measurements.filter((one) => one.section === section).map(({ engine }) => engine));
  const rows = [...engines].map((engine) => {
    const places = cases.map((name) => ({ section, case: name, engine, metric }));
    const ratios = places.map((place) => computeRatio(measurements, place)).filter((one) => one !== undefined);
    const times = places.map((place) => findMeasurement(measurements, place)?.metrics?.[metric]?.median);
    return { engine, times, mean: computeGeometricMean(ratios) };
  });
  return rows.filter(({ mean }) => !Number.isNaN(mean)).sort((left, right) => left.mean - right.mean);
}

function drawLegend(cases: readonly string[]): string[] {
  return cases.map((name, index) => {
    const left = LEFT + index * 70;
    return `${drawPoint(left, 52, index)}<text x="${left + 10}" y="56">${name}</text>`;
  });
}

function drawAxis([from, to]: readonly [number, number], x: (time: number) => number, height: number): string[] {
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  return ticks.map((tick) => {
    const at = x(tick).toFixed(1);
    const line = `<line x1="${at}" x2="${at}" y1="${TOP}" y2="${height - BOTTOM}" stroke="#d8dadd"/>`;
    const place = `x="${at}" y="${height - BOTTOM + 20}" text-anchor="middle"`;
    return `${line}<text ${place} fill="#57606a">${formatNumber(tick)} ns</text>`;
  });
}

function drawRow({ engine, times }: Row, y: number, x: (time: number) => number): string[] {
  const weight = engine.startsWith('onwhere') ? ' font-weight="700"' : '';
  const label = `<text x="${LEFT - 14}" y="${y + 4}" text-anchor="end"${weight}>${engine}</text>`;
  const known = times.filter((time) => time !== undefined).map(x);
  const [from, to] = [Math.min(...known), Math.max(...known)].map((at) => at.toFixed(1));
  const span = `<line x1="${from}" x2="${to}" y1="${y}" y2="${y}" stroke="#b9bec5"/>`;
  return [label, span, ...times.map((time, index) => (time === undefined ? '' : drawPoint(x(time), y, index)))];
}

function drawPoint(x: number, y: number, index: number): string {
  return `<circle cx="${x.toFixed(1)}" cy="${y}" r="5" fill="${COLOURS[index]}"/>`;
}
