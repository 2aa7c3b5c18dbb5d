import { lazy, Suspense } from 'react'

const MarkdownView = lazy(() =>
  import('./markdown-view.tsx').then((module) => ({ default: module.MarkdownView })),
)

interface MarkdownProps {
  text: string
  /** The text still grows: half-written marks are shown as what they will be. */
  grows?: boolean
}

/** Markdown of people, models and apps as it is meant. Until the renderer has loaded, its plain words stand there. */
export function Markdown({ text, grows = false }: MarkdownProps) {
  return (
    <Suspense fallback={<p className="leading-relaxed break-words whitespace-pre-wrap">{text}</p>}>
      <MarkdownView text={text} grows={grows} />
    </Suspense>
  )
}
