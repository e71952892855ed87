import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../../package.json';
import type { DataSource } from './data-source.ts';
import { createInputSchema, readArguments } from './read-arguments.ts';
import { RESOURCES } from './resources.ts';
import { ToolRefusal } from './tool-refusal.ts';
import { TOOLS } from './tools.ts';

const INSTRUCTIONS =
  'Call describe_data first. Write filters as the resource onwhere://language says, check them with check_filter, and ' +
  'correct them with repair_filter. Every answer has the expression that ran: tell the user.';

/** Tells of an error that is no fault of the client. */
export type OnFailure = (error: unknown) => void;

/** Creates a server of the Model Context Protocol with all tools and resources over some data. */
export function createServer(data: DataSource, onFailure: OnFailure): Server {
  const server = new Server(
    { name: 'onwhere', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, title, description, parameters }) => ({
      name,
      title,
      description,
      inputSchema: createInputSchema(parameters) as { type: 'object' },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such tool.');
    try {
      return toContent(await tool.run(readArguments(name, tool.parameters, given), data));
    } catch (error) {
      if (error instanceof ToolRefusal)
        return { ...toContent({ error: error.message, ...error.details }), isError: true };
      onFailure(error);
      return { ...toContent({ error: 'Internal error. The log of the server has it.' }), isError: true };
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: RESOURCES.map(({ read: _, ...resource }) => resource),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const resource = RESOURCES.find((one) => one.uri === uri);
    if (resource === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such resource.');
    return { contents: [{ uri, mimeType: resource.mimeType, text: await resource.read(data) }] };
  });
  return server;
}

function toContent(answer: object): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
}
