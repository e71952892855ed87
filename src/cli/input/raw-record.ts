/** A record cut out of its file but not parsed yet, or what kept it from being cut out. */
export type RawRecord =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly problem: string };
