import type { Stage } from '../../editor/lsp/lifecycle.ts';
import { serveLsp } from '../../editor/lsp/serve.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { loadSchema } from '../options.ts';

const NO_CLIENT =
  'lsp is started by editors: it speaks the Language Server Protocol over standard input and output. ' +
  'The README shows how to set up editors.';

/** Exit codes as the protocol defines them: 1 if the client exits without `shutdown`. */
const ENDS: Readonly<Record<Stage, number>> = { new: EXIT.usage, running: 1, shutDown: EXIT.ok };

/** Runs the language server over standard input and output until the client exits. */
export async function runLsp(io: Io): Promise<never> {
  if (io.in.isTTY) throw new UsageError(NO_CLIENT);
  try {
    const stage = await serveLsp({ input: io.in, output: io.out.stream, loadSchema });
    if (stage === 'new') printMessage(io, 'error', NO_CLIENT);
    // A timer that watches the process of the client would keep this process running.
    io.exit(ENDS[stage]);
  } catch (error) {
    const reason = (error as Error).message.replaceAll('\n', ' ');
    printMessage(io, 'error', `invalid Language Server Protocol message: ${reason}`);
    io.exit(EXIT.usage);
  }
}
