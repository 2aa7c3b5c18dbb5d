import { lazy, Suspense } from 'react'

const MarkdownView = lazy(() =>
  import('./markdown-view.tsx').then((module) => ({ default: module.MarkdownView })),
)

interface MarkdownProps {
  text: string
  /** Whether the text is still being written. Incomplete markup is then rendered as if it were complete. */
  grows?: boolean
}

/** Renders Markdown written by people, models and apps. Until the renderer is loaded, the source text is shown. */
export function Markdown({ text, grows = false }: MarkdownProps) {
  return (
    <Suspense fallback={<p className="leading-relaxed break-words whitespace-pre-wrap">{text}</p>}>
      <MarkdownView text={text} grows={grows} />
    </Suspense>
  )
}
