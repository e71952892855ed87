/** A record cut out of its file but not parsed yet, or what kept it from being cut out. */
export type RawRecord =
  | { readonly line: number; readonly text: string }
  | {
      readonly line: number;
      readonly problem: string;
      /** Nothing behind it can be told apart: the file cannot be read any further. */
      readonly last?: true;
    };
