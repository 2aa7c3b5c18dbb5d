import { csvOf } from '../web/csv.ts'
import { downloadText } from '../web/text-out.ts'
import { Button } from './button.tsx'

type CsvLine = (string | number | null)[]

/** Downloads rows as CSV. `children` computes the rows on the click. */
export function CsvButton({
  name,
  head,
  children,
}: {
  name: string
  head: CsvLine
  children: () => CsvLine[]
}) {
  return (
    <Button size="small" onClick={() => downloadText(name, csvOf([head, ...children()]), 'text/csv')}>
      Download CSV
    </Button>
  )
}
