/** The parameters of a request, by their published names. */
export type RequestParameters = readonly (readonly [name: string, value: string])[];

/** An answer that says what is wrong. The message is for people. */
export class ApiError extends Error {
  constructor(
    /** 0 where nothing was answered. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The published interface, asked with the secret that a person has typed. */
export class ConsoleApi {
  constructor(private readonly secret: () => string) {}

  /**
   * What an endpoint below `/api/2.0/` answers.
   *
   * @throws {ServiceApiError} where it answers an error, or does not answer.
   * @throws {DOMException} where the signal cancels it.
   */
  async ask(path: string, parameters: RequestParameters, signal?: AbortSignal): Promise<unknown> {
    try {
      const response = await fetch(addressOf(path), {
        method: 'POST',
        // The browser's own dialog for secrets must not come up.
        credentials: 'omit',
        headers: { Authorization: `Basic ${base64(`${this.secret()}:`)}` },
        body: new URLSearchParams(parameters.map(([name, value]) => [name, value])),
        ...(signal && { signal }),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      throw new ApiError(response.status, messageIn(text) ?? `The server answers with status ${response.status}.`);
    } catch (error) {
      if (error instanceof TypeError) throw new ApiError(0, 'The server cannot be reached.');
      throw error;
    }
  }
}

/** The request as a command for a shell, with a variable in place of the secret. */
export function formatCurlCommand(path: string, parameters: RequestParameters): string {
  const data = parameters.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return ['curl -u "$ONWHERE_SECRET:"', quoted(addressOf(path)), ...data].join(' \\\n  ');
}

/** The page is where the interface is. */
function addressOf(path: string): string {
  return new URL(`api/2.0/${path}/`, new URL('.', location.href)).href;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function messageIn(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body);
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
