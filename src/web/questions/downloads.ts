import type { Answer } from '../answers/answer.ts';
import { saveFile } from '../shared/save-file.ts';

/** A file that an answer can be saved as. */
interface Download {
  readonly title: string;
  readonly save: (button: HTMLElement) => void | Promise<void>;
}

/** Returns the files of an answer: JSON, and of numbers over time also CSV and pictures. */
export function listDownloads({ path, result }: Answer): readonly Download[] {
  const name = path.replaceAll('/', '-');
  const save = (ending: string, type: string, text: string) =>
    saveFile(`${name}.${ending}`, new Blob([text], { type }));
  return [{ title: 'JSON', save: () => save('json', 'application/json', JSON.stringify(result, null, 2)) }];
}
