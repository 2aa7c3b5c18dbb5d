import { type EditRefusal, applyEdit, storedText } from '../source/edit.ts'
import { countChanges } from './count.ts'
import type { EditedText, Refusal, TextJobs, WrittenText } from './jobs.ts'
import { nestingProblem } from '../source/nesting.ts'
import { describeSyntax } from './syntax.ts'

const LINES_AROUND = 3
const SHOWN_CHARS_MAX = 4_000
const PLACES_SHOWN_MAX = 20

/** Checks a text before it is written. Returns its syntax errors and how many lines change. */
export async function inspectFile({
  path,
  before,
  after,
}: TextJobs['write']['given']): Promise<WrittenText | Refusal<'too_complex'>> {
  const problem = nestingProblem(path, after)
  if (problem !== null) return { refused: { code: 'too_complex', message: problem } }
  const [sums = { added: 0, removed: 0 }] = countChanges([[before, after]])
  return { syntax: await describeSyntax(path, after), ...sums }
}

export async function editFile({
  path,
  before,
  edit,
  bytesMax,
}: TextJobs['edit']['given']): Promise<EditedText | Refusal<EditRefusal['code'] | 'too_complex'>> {
  const edited = applyEdit(before, edit, bytesMax)
  if (!edited.ok) return { refused: edited }
  const { fromLine, toLine, places } = edited
  const text = storedText(edited.text)
  const seen = await inspectFile({ path, before, after: text })
  const shown = places.length > 1 ? changedLines(text, places) : linesAround(text, fromLine, toLine)
  return 'refused' in seen ? seen : { ...seen, text, shown }
}

/** Returns the first line of each replacement of an edit with several replacements. Leaves out the unchanged lines in between. */
function changedLines(text: string, places: number[]): string {
  const lines = text.split('\n')
  const unique = [...new Set(places)]
  const shown = unique.slice(0, PLACES_SHOWN_MAX).map((line) => `${line}: ${lines[line - 1] ?? ''}`)
  const more = unique.length > shown.length ? [`and ${unique.length - shown.length} more lines`] : []
  return [`${places.length} replacements:`, ...shown, ...more].join('\n').slice(0, SHOWN_CHARS_MAX)
}

function linesAround(text: string, from: number, to: number): string {
  return text
    .split('\n')
    .slice(Math.max(0, from - 1 - LINES_AROUND), to + LINES_AROUND)
    .join('\n')
    .slice(0, SHOWN_CHARS_MAX)
}
