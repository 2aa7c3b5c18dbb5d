import { lazy, Suspense } from 'react'
import { editorText } from '../text/editor.en.ts'
import type { CodeEditorProps } from './code-editor.tsx'
import { unshownReason } from './shown-text.ts'
import { Bar, Skeleton } from '../ui/page/skeleton.tsx'

// Loaded on demand: the editor is larger than any page that shows code.
const CodeEditor = lazy(() => import('./code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

/** Shows a file read-only, with a search. Fills the given height. */
export function CodeView(props: CodeEditorProps) {
  const problem = unshownReason(props.text)
  if (problem) return <CodeNote>{editorText.notShown[problem]}</CodeNote>
  if (props.text === '') return <CodeNote>{editorText.empty}</CodeNote>
  return (
    <Suspense fallback={<CodeSkeleton />}>
      <CodeEditor {...props} />
    </Suspense>
  )
}

export function CodeNote({ children }: { children: string }) {
  return <p className="px-4 py-6 text-center text-kumo-subtle">{children}</p>
}

const SKELETON_WIDTHS = ['w-1/3', 'w-1/2', 'w-2/5', 'w-3/5', 'w-1/4', 'w-1/2']

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
