import { lazy, Suspense } from 'react'
import { editorText } from '../../text/editor.en.ts'
import { CodeNote, CodeSkeleton } from './code-view.tsx'
import { type FileDiff, whyNotCompared } from './shown-text.ts'

export interface DiffViewProps {
  file: FileDiff
  /** Side by side; needs about 720 px. */
  split?: boolean
  /** Also shows long unchanged stretches. */
  whole?: boolean
  /** The height it will have, roughly: kept while it loads, so that what follows stays in its place. */
  estimatePx?: number
  /** Called with a function that measures the changes; the function it returns is called on unmount. */
  onOpen?: (changesPx: () => number[]) => () => void
}

// Loaded on demand: the editor is larger than any page that shows a diff.
const DiffEditor = lazy(() =>
  import('../../editor/diff-editor.tsx').then((module) => ({ default: module.DiffEditor })),
)

/** The diff of a file in one column or side by side; its height follows its content. */
export function DiffView({ estimatePx, ...props }: DiffViewProps) {
  const problem = whyNotCompared(props.file)
  if (problem) return <CodeNote>{editorText.notShown[problem]}</CodeNote>
  if (!props.file.before && !props.file.after) return <CodeNote>{editorText.empty}</CodeNote>
  return (
    <Suspense
      fallback={
        <div style={{ height: estimatePx }}>
          <CodeSkeleton lines={3} />
        </div>
      }
    >
      <DiffEditor {...props} />
    </Suspense>
  )
}
