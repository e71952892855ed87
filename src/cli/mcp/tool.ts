import type { Parameters, ValuesOf } from '../../queries/endpoints/parameter.ts';
import type { DataSource } from './data-source.ts';

/** A tool of the server. It never changes data. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Returns the answer, which is sent as JSON. */
  run(values: Readonly<Record<string, unknown>>, data: DataSource): Promise<object>;
}

interface ToolDeclaration<P extends Parameters> extends Omit<Tool, 'run'> {
  readonly parameters: P;
  run(values: ValuesOf<P>, data: DataSource): Promise<object>;
}

/** Declares a tool whose arguments have the types of its parameters. */
export function declareTool<P extends Parameters>(declaration: ToolDeclaration<P>): Tool {
  return declaration as unknown as Tool;
}
