import { useState } from 'react'
import { previewText } from '../../text/preview.en.ts'
import { hostOf } from '../../ui/format/host.ts'

export function PathBar(props: { address: string; path: string; onGo: (path: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        props.onGo(draft ?? props.path)
        setDraft(null)
      }}
      className="flex h-8 min-w-0 flex-1 items-center rounded-md bg-kumo-recessed px-2.5 text-xs focus-within:ring-2 focus-within:ring-kumo-focus"
    >
      <span className="min-w-0 shrink truncate text-kumo-subtle max-sm:hidden" title={previewText.note}>
        {hostOf(props.address)}
      </span>
      <input
        aria-label={previewText.path}
        value={draft ?? (props.path || '/')}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setDraft(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null)
        }}
        className="h-full min-w-16 flex-1 bg-transparent text-kumo-default outline-none"
      />
    </form>
  )
}
