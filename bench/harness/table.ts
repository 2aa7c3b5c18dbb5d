import type { Figure } from './figure.ts'

const TABLE_COLUMNS: [title: string, cell: (figure: Figure) => string][] = [
  ['id', (f) => f.id],
  ['figure', (f) => `${f.bench} ${f.figure}`],
  ['ours', (f) => `${f.value} ${f.unit}`],
  ['against', (f) => (f.against === null ? '' : `${f.against} ${f.baseline}`)],
  ['ratio', (f) => (f.ratio === null ? '' : `${f.ratio} (${f.ratioMin}..${f.ratioMax})`)],
  ['goal', (f) => f.goal ?? ''],
  ['ok', (f) => figureVerdict(f)],
]

export function formatTable(figures: readonly Figure[]): string {
  const lines = [
    TABLE_COLUMNS.map(([title]) => title),
    ...figures.map((f) => TABLE_COLUMNS.map(([, cell]) => cell(f))),
  ]
  const widths = TABLE_COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function figureVerdict(figure: Figure): string {
  if (figure.errors > 0) return `${figure.errors} errors`
  if (!figure.steady) return figure.ok === false ? 'missed, unsteady' : 'unsteady'
  return figure.ok === null ? '' : figure.ok ? 'yes' : 'MISSED'
}
