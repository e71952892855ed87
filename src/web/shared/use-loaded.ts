import { useEffect, useState } from 'preact/hooks';

/** Returns what a request has loaded; undefined until then, and if it fails. It is sent again if an input changes. */
export function useLoaded<Value>(
  load: () => Promise<Value> | undefined,
  inputs: readonly unknown[],
): Value | undefined {
  const [loaded, setLoaded] = useState<Value>();
  useEffect(() => {
    let isNeeded = true;
    setLoaded(undefined);
    load()?.then(
      (value) => isNeeded && setLoaded(value),
      () => undefined,
    );
    return () => {
      isNeeded = false;
    };
  }, inputs);
  return loaded;
}
