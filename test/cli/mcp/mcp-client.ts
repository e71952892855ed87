import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createServer } from '../../../src/cli/mcp/create-server.ts';
import { DataSource } from '../../../src/cli/mcp/data-source.ts';
import { type DataPlace, type DataTask, type RunTask, runDataTask } from '../../../src/cli/mcp/data-task.ts';
import { testIo } from '../test-io.ts';

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly length: number;
  /** The parsed JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers with other JSON
  readonly json: any;
}

/** Calls a tool. */
export async function callTool(client: Client, name: string, given: object = {}): Promise<ToolAnswer> {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...given } });
  const [{ text }] = content as [{ readonly text: string }];
  return { isError: isError === true, length: text.length, json: JSON.parse(text) };
}

/** A client of a server in this process, and the tasks that its calls ran on the data. */
export interface ConnectedClient {
  readonly client: Client;
  readonly tasks: readonly DataTask[];
  readonly failures: readonly unknown[];
}

/** Connects a client to a server over files. */
export async function connectClient(
  files: readonly string[],
  options: DataPlace['options'] = {},
): Promise<ConnectedClient> {
  const io = testIo();
  const place = { files, options };
  const tasks: DataTask[] = [];
  const failures: unknown[] = [];
  const runTask: RunTask = (task) => {
    tasks.push(task);
    return runDataTask(io, place, task);
  };
  const server = createServer(new DataSource(io, place, runTask), (error) => failures.push(error));
  const client = new Client({ name: 'test', version: '1' });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  return { client, tasks, failures };
}
