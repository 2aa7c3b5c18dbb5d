import { csvOf } from '../web/csv.ts'
import { downloadText } from '../web/text-out.ts'
import { Button } from './button.tsx'

type Line = (string | number | null)[]

/** The lines are made when the person asks for the file. */
export function CsvButton({ name, head, children }: { name: string; head: Line; children: () => Line[] }) {
  return (
    <Button size="small" onClick={() => downloadText(name, csvOf([head, ...children()]), 'text/csv')}>
      Download CSV
    </Button>
  )
}
