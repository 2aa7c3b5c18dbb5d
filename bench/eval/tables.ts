/** Formats rows as a table for the terminal. The first column is aligned left, the others are aligned right. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join('  ')
  return `${[head, ...rows].map(line).join('\n')}\n`
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll(/[|\n]/g, ' ')).join(' | ')} |`
  const rule = `| --- |${' ---: |'.repeat(head.length - 1)}`
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`
}
