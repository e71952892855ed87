import { writeFile } from 'node:fs/promises';
import { escapeUnprintable, pluralize } from '../../base/strings.ts';
import { UsageError } from '../exit.ts';
import { loadSchema } from '../options.ts';
import { renderSchema } from './render.ts';
import { Sample } from './sample.ts';
import type { ReplState } from './state.ts';

/** Loads the events of another file and infers their schema. */
export async function answerLoad(state: ReplState, file: string): Promise<string> {
  state.sample = await Sample.load(state.io, file, state.sample.options);
  state.schema = state.sample.inferSchema();
  return `${state.sample.describe()}.`;
}

/** Shows the schema. Loads it first if a file is given. */
export async function answerSchema(state: ReplState, file: string): Promise<string> {
  if (file !== '') state.schema = await loadSchema(file);
  return renderSchema(state.io.out, state.schema).join('\n');
}

/** Saves the inputs to a new file, which `onwhere repl < file` replays. */
export async function answerSave({ inputs }: ReplState, file: string): Promise<string> {
  try {
    await writeFile(file, inputs.map((input) => `${input}\n`).join(''), { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST' ? `${file} already exists. Choose another name.` : `Cannot write ${file}: ${message}`,
    );
  }
  return `Saved ${pluralize(inputs.length, 'input')} to ${escapeUnprintable(file)}.`;
}
