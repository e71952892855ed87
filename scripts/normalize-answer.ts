/** Replaces the ids that differ in each copy of the sample data, so that examples stay the same. */
export function normalizeAnswer(text: string): string {
  return text
    .replace(/(?<="project_id":)\d+/g, '1')
    .replace(/(?<="session_id":")[^"]*/g, '9b2f6c0d4e1a48f7a3c5d7e9f1b3a5c7');
}
