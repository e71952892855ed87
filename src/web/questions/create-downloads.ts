import { createButton, createElement } from '../../editor/dom.ts';
import { MAX_LINES } from '../shared/chart.ts';
import { formatChartSvg } from '../shared/chart-svg.ts';
import type { RequestParameters } from '../shared/query-api.ts';
import { formatChartCsv, paintChart, saveFile } from '../shared/save-file.ts';
import { readColor } from '../shared/theme.ts';
import { sortByTotal } from './views/lines-view.ts';
import { isSeries, readChartData } from './views/read-chart-data.ts';

/** Creates the buttons that save a result: as JSON, and numbers over time also as CSV and as pictures. */
export function createDownloads(
  shown: HTMLElement,
  path: string,
  result: unknown,
  parameters: RequestParameters,
): HTMLElement {
  const name = path.replaceAll('/', '-');
  const save = (ending: string, type: string, text: string) => {
    saveFile(`${name}.${ending}`, new Blob([text], { type }));
  };
  const create = (label: string, onClick: () => void) => createButton({ class: 'quiet' }, label, onClick);
  const buttons = [create('JSON', () => save('json', 'application/json', JSON.stringify(result, null, 2)))];
  if (isSeries(result)) {
    const data = readChartData(result, new Map(parameters));
    buttons.unshift(create('CSV', () => save('csv', 'text/csv', formatChartCsv(data))));
    const drawn = { ...data, lines: sortByTotal(data.lines) };
    buttons.push(create('SVG', () => save('svg', 'image/svg+xml', formatChartSvg(drawn, readColors(shown)))));
  }
  const canvas = shown.querySelector('canvas');
  if (canvas !== null) {
    const savePicture = async () => {
      const picture = await paintChart(canvas);
      if (picture !== undefined) saveFile(`${name}.png`, picture);
    };
    buttons.push(create('PNG', () => void savePicture()));
  }
  return createElement('p', { class: 'buttons', role: 'group', 'aria-label': 'Download' }, 'Download: ', ...buttons);
}

function readColors(element: HTMLElement) {
  const lines = Array.from({ length: MAX_LINES }, (_, index) => readColor(element, `--line-${index + 1}`));
  const [surface, text, grid] = ['--surface', '--text', '--line'].map((name) => readColor(element, name));
  return { surface: surface ?? '', text: text ?? '', grid: grid ?? '', lines };
}
