import { detectEncoding, Transcoder } from '../../data/encoding.ts';
import { type DetectedFormat, detectFormatByName, type FormatOptions } from '../../data/file-format.ts';
import {
  describeForeign,
  describeRefusal,
  type FileRefusal,
  hasSignature,
  type Remedies,
} from '../../data/foreign-format.ts';
import { peek, skipBom } from './chunks.ts';
import { decompress } from './decompress.ts';
import { detectFormat } from './detect-format.ts';
import { InputError } from './input-error.ts';

const REMEDIES: Remedies = {
  delimiter: 'If it is CSV, give --delimiter or a name that ends with .csv',
  encoding: (name) => `Give --encoding ${name}`,
  commandLine: 'Save it to a file and name that on the command line of onwhere',
};

/** The UTF-8 text of a file and what it is. */
export interface OpenInput extends DetectedFormat {
  /** Whether the file is UTF-8 already. */
  readonly isUtf8: boolean;
  readonly all: AsyncIterable<Buffer>;
}

/**
 * Unpacks and decodes a file and detects its format.
 *
 * @throws {InputError} if the file has no records that onwhere can read.
 */
export async function openInput(
  file: string,
  name: string,
  chunks: AsyncIterable<Buffer>,
  options: FormatOptions = {},
): Promise<OpenInput> {
  const { head, all } = await peek(decompress(chunks, name), (head) => hasSignature(head.toString('latin1')));
  const marked = detectEncoding(head);
  const encoding = marked === 'utf-8' ? (options.encoding ?? marked) : marked;
  const isText = encoding !== 'utf-8' || options.delimiter !== undefined || detectFormatByName(file) !== undefined;
  const foreign = describeForeign(head.toString('latin1'), isText);
  if (foreign !== undefined) throw createRefusalError(name, foreign);
  const text = encoding === 'utf-8' ? all : transcode(all, new Transcoder(encoding), `${name} is not ${encoding} text`);
  const found = await detectFormat(file, skipBom(text), options);
  if (found.refusal !== undefined) throw createRefusalError(name, found.refusal);
  return { ...found, isUtf8: encoding === 'utf-8' };
}

function createRefusalError(name: string, refusal: FileRefusal): InputError {
  return new InputError(`${name} ${describeRefusal(refusal, REMEDIES)}`);
}

async function* transcode(chunks: AsyncIterable<Buffer>, transcoder: Transcoder, problem: string) {
  const toBuffer = (convert: () => Uint8Array) => {
    try {
      return Buffer.from(convert());
    } catch (cause) {
      throw cause instanceof TypeError ? new InputError(problem, { cause }) : cause;
    }
  };
  for await (const chunk of chunks) yield toBuffer(() => transcoder.feed(chunk));
  yield toBuffer(() => transcoder.end());
}
