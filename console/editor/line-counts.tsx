import { editorText } from '../text/editor.en.ts'

/** The added and removed lines as `+3 −1`, read as words by screen readers. */
export function LineCounts(props: { added: number; removed: number; className?: string }) {
  return (
    <span
      className={`flex shrink-0 gap-1.5 font-mono text-xs font-normal tabular-nums ${props.className ?? ''}`}
    >
      <span className="min-w-7 text-right text-added">
        <span aria-hidden="true">+{props.added}</span>
        <span className="sr-only">{editorText.added(props.added)}, </span>
      </span>
      <span className="min-w-7 text-right text-removed">
        <span aria-hidden="true">−{props.removed}</span>
        <span className="sr-only">{editorText.removed(props.removed)}</span>
      </span>
    </span>
  )
}
