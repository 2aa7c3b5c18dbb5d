import { Dialog } from '@cloudflare/kumo/components/dialog'
import { MagnifyingGlassIcon } from '@phosphor-icons/react'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { paletteText } from '../../text/palette.en.ts'
import { isComposing } from '../../ui/browser/composing.ts'
import { type PaletteEntry, groupEntries, nextIndex } from './entries.ts'
import { Options } from './options.tsx'
import { rememberPage } from './recent.ts'
import { useEntries } from './use-entries.tsx'

const ASK_AFTER_MS = 120

export function Palette({ onClose, onShowShortcuts }: { onClose: () => void; onShowShortcuts: () => void }) {
  const id = useId()
  const router = useRouter()
  const { pathname } = useLocation()
  const [typed, setTyped] = useState('')
  // The marked entry by its id, because results that arrive later change the positions.
  const [marked, setMarked] = useState<string | null>(null)
  const asked = useDelayed(typed, ASK_AFTER_MS)
  const groups = groupEntries(useEntries({ pathname, typed, asked, onShowShortcuts }))
  const entries = groups.flatMap((group) => group.entries)
  const at = Math.max(
    Math.min(0, entries.length - 1),
    entries.findIndex((entry) => entry.id === marked),
  )
  const mark = (index: number) => setMarked(entries[index]?.id ?? null)

  const runEntry = (entry: PaletteEntry | undefined) => {
    if (!entry || entry.reason) return
    onClose()
    entry.act?.()
    if (!entry.to) return
    rememberPage({ to: entry.to, label: entry.detail ? `${entry.label} · ${entry.detail}` : entry.label })
    router.history.push(entry.to)
  }
  const followKey = (event: React.KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Enter') runEntry(entries[at])
    else if (event.key === 'ArrowDown') mark(nextIndex(at, 1, entries.length))
    else if (event.key === 'ArrowUp') mark(nextIndex(at, -1, entries.length))
    else return
    event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog
        size="xl"
        className="top-[10vh] flex max-h-[78dvh] w-full max-w-xl translate-y-0 flex-col overflow-hidden p-0 max-sm:top-0 max-sm:max-h-[92dvh] max-sm:max-w-none max-sm:rounded-t-none"
      >
        <Dialog.Title className="sr-only">{paletteText.title}</Dialog.Title>
        <div className="flex shrink-0 items-center gap-3 border-b border-kumo-line px-4">
          <MagnifyingGlassIcon className="size-5 shrink-0 text-kumo-subtle" aria-hidden="true" />
          <input
            type="text"
            role="combobox"
            aria-label={paletteText.title}
            aria-expanded={entries.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder={paletteText.placeholder}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setMarked(null)
            }}
            onKeyDown={followKey}
            className="h-13 min-w-0 flex-1 bg-transparent text-[15px] text-kumo-default outline-none placeholder:text-kumo-placeholder"
          />
        </div>
        <Options id={id} groups={groups} marked={at} onMark={mark} onTake={runEntry} />
        <p role="status" className="sr-only">
          {typed.trim() === '' ? '' : paletteText.count(entries.length)}
        </p>
        {entries.length === 0 && (
          <div className="px-6 py-10 text-center">
            <p className="font-medium break-words text-kumo-strong">{paletteText.none(typed.trim())}</p>
            <p className="mt-1 text-[13px] text-kumo-subtle">{paletteText.noneHint}</p>
          </div>
        )}
        <p
          aria-hidden="true"
          className="flex shrink-0 gap-4 border-t border-kumo-line bg-kumo-elevated px-4 py-2 text-xs text-kumo-subtle pointer-coarse:hidden"
        >
          <KeyHint keys="↑ ↓" words={paletteText.keys.choose} />
          <KeyHint keys="↵" words={paletteText.keys.open} />
          <KeyHint keys="Esc" words={paletteText.keys.close} />
        </p>
      </Dialog>
    </Dialog.Root>
  )
}

function KeyHint({ keys, words }: { keys: string; words: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <kbd className="font-sans font-medium text-kumo-default">{keys}</kbd> {words}
    </span>
  )
}

/** Returns the value once it has not changed for `ms`, so that not every key press sends a request. */
function useDelayed(value: string, ms: number): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}
