import { text } from '../../text/en.ts'
import { CopyButton } from '../controls/copy-button.tsx'

/** A code sample with a copy button. Long lines scroll inside the box, also by keyboard. */
export function CodeSample({ label, code }: { label: string; code: string }) {
  return (
    <div className="min-w-0 overflow-hidden rounded-lg bg-kumo-recessed ring-1 ring-kumo-line">
      <div className="flex items-center justify-between gap-2 border-b border-kumo-hairline py-0.5 pr-1 pl-3.5">
        <span className="min-w-0 truncate text-xs text-kumo-subtle" aria-hidden="true">
          {label}
        </span>
        <CopyButton value={code} label={`${text.common.copy}: ${label}`} />
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto px-3.5 py-3 font-mono text-xs leading-relaxed focus-visible:-outline-offset-2"
      >
        {code}
      </pre>
    </div>
  )
}
