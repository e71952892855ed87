/** Replaces the ids and times that differ in each copy of the sample data, so that examples stay the same. */
export function normalizeAnswer(text: string): string {
  return text
    .replace(/(?<="project_id":)\d+/g, '1')
    .replace(/(?<="version_id":")[^"]*/g, '4f1d8c2a6b90e357')
    .replace(/(?<="created_at":")[^"]*/g, '2025-07-01T00:00:00.000Z')
    .replace(/(?<="session_id":")[^"]*/g, '9b2f6c0d4e1a48f7a3c5d7e9f1b3a5c7');
}
