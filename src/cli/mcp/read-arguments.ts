import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { suggest } from '../../base/suggest.ts';
import { expressionText } from '../../queries/endpoints/kinds.ts';
import { type Parameters, readParameters } from '../../queries/endpoints/parameter.ts';
import { HttpError } from '../../queries/http-error.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** Returns the JSON Schema of the arguments of a tool, which takes no others. */
export function createInputSchema(parameters: Parameters): object {
  const properties = Object.entries(parameters).map(([name, { kind, description, defaultValue }]) => {
    return [name, { ...kind.schema, description, ...(defaultValue !== undefined && { default: defaultValue }) }];
  });
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * Reads the arguments of a call. Unlike a request over HTTP, a call has no arguments that are ignored: those without a
 * parameter are refused, and so are empty ones, since an empty filter would select everything.
 *
 * @param what The thing with the parameters, for messages.
 * @throws {ToolRefusal} for the first argument that is missing, unknown, empty or invalid
 */
export function readArguments(what: string, parameters: Parameters, given: unknown): Record<string, unknown> {
  if (!isJsonObject(given)) throw new ToolRefusal(`The arguments of ${what} are a JSON object.`);
  for (const [name, value] of Object.entries(given)) assertArgument(what, parameters, name, value);
  try {
    return readParameters(parameters, given as JsonObject);
  } catch (error) {
    if (error instanceof HttpError) throw new ToolRefusal(error.message);
    throw error;
  }
}

function assertArgument(what: string, parameters: Parameters, name: string, value: unknown): void {
  const names = Object.keys(parameters);
  if (!names.includes(name)) {
    const near = suggest(name, names);
    const advice = near === undefined ? `It takes ${names.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
    throw new ToolRefusal(`There is no parameter ${JSON.stringify(name.slice(0, 100))} of ${what}. ${advice}`);
  }
  const isExpression = parameters[name]?.kind === expressionText;
  if (value === null || value === undefined || value === '' || (isExpression && isBlank(value)))
    throw new ToolRefusal(
      `"${name}" of ${what} is empty. ${isExpression ? 'An empty filter is not an expression: leave' : 'Leave'} "${name}" out to do without it.`,
    );
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
