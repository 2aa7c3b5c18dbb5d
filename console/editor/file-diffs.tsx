import { useRef, useState } from 'react'
import { useShortcut } from '../shell/keys/shortcuts.ts'
import { editorText } from '../text/editor.en.ts'
import { useDiffLayout } from './diff-layout.ts'
import { nextChange, initiallyExpanded, sumChanges } from './diff-list.ts'
import { FileDiffCard } from './file-diff.tsx'
import { LineCounts } from './line-counts.tsx'
import { Button } from '../ui/controls/button.tsx'
import { SegmentedChoice } from '../ui/controls/segmented-choice.tsx'
import type { FileDiff } from './shown-text.ts'
import { useWidth } from '../ui/browser/use-width.ts'

/** Two columns of code need this width; below it there is one column. */
const SPLIT_PX_MIN = 720
/** The distance from the top at which a change is shown after the page has scrolled to it. */
const HEADROOM_PX = 72

/** A comparison of two versions, file by file. The key `N` moves to the next change, `U` changes the layout. */
export function FileDiffs({
  files,
  title,
  fileHref,
}: {
  files: FileDiff[]
  /** The title to show instead of the number of changed files. */
  title?: string | undefined
  /** The link to the whole file, for a file that still exists. */
  fileHref?: (path: string) => string
}) {
  const [open, setOpen] = useState(() => initiallyExpanded(files))
  const [layout, setLayout] = useDiffLayout()
  const [measure, widthPx] = useWidth()
  const box = useRef<HTMLDivElement>(null)
  const cards = useRef(new Map<string, () => number[]>())
  const [said, setSaid] = useState('')
  const canSplit = widthPx >= SPLIT_PX_MIN
  const jump = () => {
    const root = box.current
    const changes = [...cards.current].flatMap(([path, read]) => (open.has(path) ? read() : []))
    const next = root && nextChange(changes, topBelowHeader(scrollerOf(root)))
    if (!root || !next) return
    const scroller = scrollerOf(root)
    scroller.scrollBy({ top: next.px - topBelowHeader(scroller) })
    setSaid(editorText.changeOf(next.place, next.count))
  }
  useShortcut('nextChange', jump)
  useShortcut('diffLayout', () => setLayout(layout === 'split' ? 'unified' : 'split'), canSplit)
  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
  }
  const isAllOpen = open.size === files.length
  return (
    <div
      ref={(element) => {
        box.current = element
        return element ? measure(element) : undefined
      }}
      className="min-w-0 space-y-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="mr-auto flex items-baseline gap-3 text-[15px] font-semibold text-kumo-strong">
          {title ?? (files.length === 0 ? editorText.nothingChanged : editorText.filesChanged(files.length))}
          {files.length > 0 && <LineCounts {...sumChanges(files)} />}
        </h2>
        {files.length > 1 && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => setOpen(new Set(isAllOpen ? [] : files.map(({ path }) => path)))}
          >
            {isAllOpen ? editorText.foldAll : editorText.unfoldAll}
          </Button>
        )}
        {files.length > 0 && (
          <Button size="sm" aria-keyshortcuts="n" onClick={jump}>
            {editorText.nextChange}
          </Button>
        )}
        {files.length > 0 && canSplit && (
          <SegmentedChoice
            label={editorText.layout}
            value={layout}
            options={[
              { value: 'unified', label: editorText.unified },
              { value: 'split', label: editorText.split },
            ]}
            onChange={setLayout}
          />
        )}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
      {files.map((file) => (
        <FileDiffCard
          key={file.path}
          file={file}
          isOpen={open.has(file.path)}
          split={canSplit && layout === 'split'}
          to={file.status === 'removed' ? null : (fileHref?.(file.path) ?? null)}
          onToggle={() => toggle(file.path)}
          onShown={(changesPx) => {
            cards.current.set(file.path, changesPx)
            return () => cards.current.delete(file.path)
          }}
        />
      ))}
    </div>
  )
}

/** The element that scrolls the comparison: the page, or the pane around it. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at)
    if (overflowY === 'auto' || overflowY === 'scroll') return at
  }
  return document.documentElement
}

const topBelowHeader = (scroller: HTMLElement) => scroller.getBoundingClientRect().top + HEADROOM_PX
