import type { Stage } from '../../editor/lsp/lifecycle.ts';
import { serveLsp } from '../../editor/lsp/serve.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { loadSchema } from '../options.ts';

const NO_CLIENT =
  'lsp is for editors: it speaks the Language Server Protocol over standard input and output. The README shows how to set editors up.';

/** The codes are those of the protocol: 1 for a client that left without `shutdown`. */
const ENDS: Readonly<Record<Stage, number>> = { new: EXIT.usage, running: 1, shutDown: EXIT.ok };

/** Serves an editor over standard input and output until it leaves. */
export async function runLsp(io: Io): Promise<never> {
  if (io.in.isTTY) throw new UsageError(NO_CLIENT);
  try {
    const stage = await serveLsp({ input: io.in, output: io.out.stream, loadSchema });
    if (stage === 'new') printMessage(io, 'error', NO_CLIENT);
    // The client's process is watched for as long as this one runs.
    io.exit(ENDS[stage]);
  } catch (error) {
    const reason = (error as Error).message.replaceAll('\n', ' ');
    printMessage(io, 'error', `what came in is no message of the Language Server Protocol: ${reason}`);
    io.exit(EXIT.usage);
  }
}
