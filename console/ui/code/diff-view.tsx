import { lazy, Suspense } from 'react'
import { editorText } from '../../text/editor.en.ts'
import { CodeNote, CodeSkeleton } from './code-view.tsx'
import { type FileDiff, whyNotCompared } from './shown-text.ts'

export interface DiffViewProps {
  file: FileDiff
  /** Side by side; needs about 720 px. */
  split?: boolean
  /** Also the long stretches that did not change. */
  whole?: boolean
  /** Hears where the changes are, to jump between them; what it answers is called when they are gone. */
  onOpen?: (changesPx: () => number[]) => () => void
}

// The editor weighs more than any page that shows a comparison.
const DiffEditor = lazy(() =>
  import('../../editor/diff-editor.tsx').then((module) => ({ default: module.DiffEditor })),
)

/** What changed in one file, in one column or side by side; as high as it needs to be. */
export function DiffView(props: DiffViewProps) {
  const problem = whyNotCompared(props.file)
  if (problem) return <CodeNote>{editorText.notShown[problem]}</CodeNote>
  if (!props.file.before && !props.file.after) return <CodeNote>{editorText.empty}</CodeNote>
  return (
    <Suspense fallback={<CodeSkeleton lines={3} />}>
      <DiffEditor {...props} />
    </Suspense>
  )
}
