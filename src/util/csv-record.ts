/** A record of comma-separated values (RFC 4180). */
export function formatCsvRecord(cells: readonly (string | number)[]): string {
  return cells.map((cell) => csvCell(String(cell))).join(',');
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
