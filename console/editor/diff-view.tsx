import { lazy, Suspense } from 'react'
import { editorText } from '../text/editor.en.ts'
import type { DiffEditorProps } from './diff-editor.tsx'
import { CodeNote, CodeSkeleton } from './code-view.tsx'
import { undiffableReason } from './shown-text.ts'

export interface DiffViewProps extends DiffEditorProps {
  /** The estimated height, which is reserved while the editor loads, so that what follows does not move. */
  estimatePx?: number
}

// Loaded on demand: the editor is larger than any page that shows a diff.
const DiffEditor = lazy(() => import('./diff-editor.tsx').then((module) => ({ default: module.DiffEditor })))

/** The diff of a file, in one column or side by side. The diff is as high as its content. */
export function DiffView({ estimatePx, ...props }: DiffViewProps) {
  const problem = undiffableReason(props.file)
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
