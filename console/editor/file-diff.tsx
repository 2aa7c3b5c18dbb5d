import { ArrowSquareOutIcon, CaretDownIcon, CaretRightIcon } from '@phosphor-icons/react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { editorText } from '../text/editor.en.ts'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { DiffView } from './diff-view.tsx'
import { LineCounts } from './line-counts.tsx'
import { type FileDiff, undiffableReason } from './shown-text.ts'
import { useNear } from '../ui/browser/use-near.ts'

export interface FileDiffCardProps {
  file: FileDiff
  isOpen: boolean
  split: boolean
  /** The link to the whole file; null when the version does not have this file. */
  to: string | null
  onToggle: () => void
  /**
   * Called on mount with a function that returns the top edges of the changes, in pixels from the top of the
   * window. Returns a function that is called on unmount.
   */
  onShown: (changesPx: () => number[]) => () => void
}

const LINE_PX = 20
/** The assumed number of unchanged lines around the changes, used to estimate the height of a card. */
const AROUND_LINES = 6
const ESTIMATE_PX_MAX = 8_000

export function FileDiffCard({ file, isOpen, split, to, onToggle, onShown }: FileDiffCardProps) {
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const inside = useRef<(() => number[]) | null>(null)
  const [whole, setWhole] = useState(false)
  const [near, isNear] = useNear()
  const register = useEffectEvent(onShown)
  useEffect(
    // A card whose lines are not rendered yet counts as one change, at its top.
    () => register(() => inside.current?.() ?? [card.current?.getBoundingClientRect().top ?? 0]),
    [],
  )
  const hear = (changesPx: () => number[]) => {
    inside.current = changesPx
    return () => {
      inside.current = null
    }
  }
  const canWiden = file.status === 'modified' && undiffableReason(file) === null
  const lines = file.added + file.removed + (file.status === 'modified' ? AROUND_LINES : 0)
  const estimatePx = Math.min(ESTIMATE_PX_MAX, lines * LINE_PX)
  return (
    <section
      ref={card}
      aria-labelledby={id}
      className="overflow-clip rounded-xl bg-kumo-base ring-1 ring-kumo-line"
    >
      <div className="sticky top-0 z-10 flex items-center gap-1 bg-kumo-elevated py-1 pr-1.5 pl-1">
        <h3 id={id} className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-lg px-1.5 text-left hover:bg-kumo-tint"
          >
            {isOpen ? (
              <CaretDownIcon className="size-3.5 shrink-0 text-kumo-subtle" aria-hidden="true" />
            ) : (
              <CaretRightIcon className="size-3.5 shrink-0 text-kumo-subtle" aria-hidden="true" />
            )}
            <FilePath path={file.path} isGone={file.status === 'removed'} />
            {file.status !== 'modified' && (
              <span
                className={`shrink-0 rounded-full px-2 text-xs leading-5 font-medium ring-1 ring-inset ${file.status === 'added' ? 'text-added ring-added/30' : 'text-removed ring-removed/30'}`}
              >
                {editorText.statuses[file.status]}
              </span>
            )}
            <LineCounts added={file.added} removed={file.removed} className="ml-auto pl-2" />
          </button>
        </h3>
        {isOpen && canWiden && (
          <Button
            size="sm"
            variant="ghost"
            aria-pressed={whole}
            aria-label={editorText.wholeFileOf(file.path)}
            className="max-sm:hidden"
            onClick={() => setWhole(!whole)}
          >
            {whole ? editorText.onlyChanges : editorText.wholeFile}
          </Button>
        )}
        {to !== null && (
          <a
            href={to}
            aria-label={editorText.openInCode(file.path)}
            title={editorText.openInCode(file.path)}
            className="grid size-[26px] shrink-0 place-items-center rounded-md text-kumo-subtle hover:bg-kumo-tint hover:text-kumo-default"
          >
            <ArrowSquareOutIcon aria-hidden="true" />
          </a>
        )}
        <span className="max-sm:hidden">
          <CopyButton value={file.path} label={editorText.copyPath(file.path)} />
        </span>
      </div>
      {isOpen && (
        <div ref={near} className="border-t border-kumo-line">
          {isNear ? (
            <DiffView file={file} split={split} whole={whole} estimatePx={estimatePx} onOpen={hear} />
          ) : (
            <div style={{ height: estimatePx }} />
          )}
        </div>
      )}
    </section>
  )
}

/** The name is bold. The folders before it are truncated first when the path does not fit. */
function FilePath({ path, isGone }: { path: string; isGone: boolean }) {
  const at = path.lastIndexOf('/') + 1
  return (
    <span
      className={`flex min-w-0 font-mono text-[13px] ${isGone ? 'line-through decoration-kumo-subtle' : ''}`}
      title={path}
    >
      <span className="min-w-0 shrink-[9] truncate text-kumo-subtle">{path.slice(0, at)}</span>
      <span className="min-w-0 truncate font-medium text-kumo-strong">{path.slice(at)}</span>
    </span>
  )
}
