import { writeFile } from 'node:fs/promises';
import { escapeUnprintable, pluralize, truncate } from '../../lang/util/strings.ts';
import { UsageError } from '../exit.ts';
import { loadSchema } from '../options.ts';
import { renderSchema } from './render.ts';
import { Sample } from './sample.ts';
import type { ReplState } from './state.ts';

/** Other events, and what they say about their properties. */
export async function answerLoad(state: ReplState, file: string): Promise<string> {
  state.sample = await Sample.load(state.io, file);
  state.schema = state.sample.inferSchema();
  return `${state.sample.describe()}.`;
}

/** The properties that are known; those of a file, if it is named, from now on. */
export async function answerSchema(state: ReplState, file: string): Promise<string> {
  if (file !== '') state.schema = await loadSchema(file);
  return renderSchema(state.schema)
    .map((line) => truncate(line, state.io.out.room))
    .join('\n');
}

/** Writes what was entered to a file, which `onwhere repl < file` plays again. */
export async function answerSave({ inputs }: ReplState, file: string): Promise<string> {
  try {
    await writeFile(file, inputs.map((input) => `${input}\n`).join(''), { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST' ? `${file} exists: name a new file` : `${file} cannot be written: ${message}`,
    );
  }
  return `${pluralize(inputs.length, 'input')} in ${escapeUnprintable(file)}.`;
}
