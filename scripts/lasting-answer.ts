/** An answer over the sample data with what is different in each copy of them replaced. */
export function lastingAnswer(text: string): string {
  return text
    .replace(/(?<="project_id":)\d+/g, '1')
    .replace(/(?<="session_id":")[^"]*/g, '9b2f6c0d4e1a48f7a3c5d7e9f1b3a5c7');
}
