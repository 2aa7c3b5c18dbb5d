import { lazy, type Ref, Suspense } from 'react'
import { editorText } from '../text/editor.en.ts'
import type { LineRange } from './line-range.ts'
import { whyNotShown } from './shown-text.ts'
import { Bar, Skeleton } from '../ui/page/skeleton.tsx'

/** The page's access to the editor; null while the editor is loading. `search` opens the search panel. */
export interface CodeHandle {
  search: () => void
}

export interface CodeViewProps {
  path: string
  text: string
  /** The lines to highlight and scroll to. */
  lines?: LineRange | null
  wraps?: boolean
  /** Called when a line number is pressed; `stretch` is true while Shift is held. Without this handler the numbers are not interactive. */
  onLine?: (line: number, stretch: boolean) => void
  handle?: Ref<CodeHandle>
}

// Loaded on demand: the editor is larger than any page that shows code.
const CodeEditor = lazy(() => import('./code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

/** Shows a file read-only, with a search. Fills the given height. */
export function CodeView(props: CodeViewProps) {
  const problem = whyNotShown(props.text)
  if (problem) return <CodeNote>{editorText.notShown[problem]}</CodeNote>
  if (props.text === '') return <CodeNote>{editorText.empty}</CodeNote>
  return (
    <Suspense fallback={<CodeSkeleton />}>
      <CodeEditor {...props} />
    </Suspense>
  )
}

/** A sentence in place of code: why it is not shown, or that the file is empty. */
export function CodeNote({ children }: { children: string }) {
  return <p className="px-4 py-6 text-center text-kumo-subtle">{children}</p>
}

const SKELETON_WIDTHS = ['w-1/3', 'w-1/2', 'w-2/5', 'w-3/5', 'w-1/4', 'w-1/2']

/** Placeholder lines while the editor or the text is loading. */
export function CodeSkeleton({ lines = SKELETON_WIDTHS.length }: { lines?: number }) {
  return (
    <Skeleton>
      <div className="space-y-2 px-6 py-4">
        {SKELETON_WIDTHS.slice(0, lines).map((width, index) => (
          <Bar key={index} className={width} />
        ))}
      </div>
    </Skeleton>
  )
}
