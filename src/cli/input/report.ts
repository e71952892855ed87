/** Takes what is wrong with a record that cannot be read, and the line where the record begins. */
export type Report = (line: number, reason: string) => void;
