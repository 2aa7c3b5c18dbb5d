import { ArrowDownIcon } from '@phosphor-icons/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { workText } from '../../../text/workspace.en.ts'
import { isNearEnd } from '../../../ui/browser/use-follow-end.ts'

/** A scroll area that stays at its end while its content grows, unless the reader has scrolled up. */
export function FollowingScroll({ active, children }: { active: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const follows = active && atEnd
  useEffect(() => {
    const area = box.current
    const content = area?.firstElementChild
    if (!area || !content || !follows) return
    const keepEnd = () => {
      area.scrollTop = area.scrollHeight
    }
    const observer = new ResizeObserver(keepEnd)
    observer.observe(content)
    keepEnd()
    return () => observer.disconnect()
  }, [follows])
  useEffect(() => {
    // A finished build shows its result at the top.
    if (!active && box.current) box.current.scrollTop = 0
  }, [active])
  const scrolled = () => {
    const area = box.current
    if (area) setAtEnd(isNearEnd(area))
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* `tabIndex` makes the area focusable, so that it can be scrolled with the keyboard. */}
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={workText.build.log}
        onScroll={scrolled}
        className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      >
        {children}
      </div>
      {active && !atEnd && (
        <button
          type="button"
          onClick={() => setAtEnd(true)}
          className="absolute bottom-4 left-1/2 inline-flex -translate-x-1/2 cursor-pointer items-center gap-1.5 rounded-full bg-kumo-contrast px-3.5 py-1.5 text-[13px] font-medium text-kumo-inverse shadow-lg"
        >
          <ArrowDownIcon aria-hidden="true" />
          {workText.build.jump}
        </button>
      )}
    </div>
  )
}
