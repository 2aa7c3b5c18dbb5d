import { ArrowDownIcon } from '@phosphor-icons/react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { text } from '../../text/en.ts'

const NEAR_END_PX = 48

/**
 * A scroll area that stays at its end while its content grows, unless the reader has scrolled up. When the
 * content is complete (`isGrowing` is false), the area shows its top. Older content that is added at the top,
 * which changes `firstKey`, does not move what is visible. The first child must contain all of the content.
 */
export function FollowingScroll(props: {
  label: string
  isGrowing?: boolean
  firstKey?: string | undefined
  children: ReactNode
}) {
  const { label, isGrowing = true, firstKey, children } = props
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const before = useRef({ firstKey, heightPx: 0 })
  useLayoutEffect(() => {
    const area = box.current
    if (!area) return
    if (before.current.firstKey !== firstKey && before.current.firstKey !== undefined && !isAtEnd)
      area.scrollTop += area.scrollHeight - before.current.heightPx
    before.current = { firstKey, heightPx: area.scrollHeight }
  })
  useEffect(() => {
    const area = box.current
    const content = area?.firstElementChild
    if (!area || !content || !isGrowing) return
    const follow = () => {
      if (isAtEnd) area.scrollTop = area.scrollHeight
      before.current.heightPx = area.scrollHeight
    }
    const observer = new ResizeObserver(follow)
    observer.observe(content)
    // Also observe the area, because it shrinks when something opens above or below it.
    observer.observe(area)
    follow()
    return () => observer.disconnect()
  }, [isAtEnd, isGrowing])
  useEffect(() => {
    if (isGrowing) return
    if (box.current) box.current.scrollTop = 0
    // When the content grows again, the area follows its end, even if the reader had scrolled up.
    setAtEnd(true)
  }, [isGrowing])
  const onScroll = () => {
    const area = box.current
    if (area && isGrowing) setAtEnd(area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX)
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* `tabIndex` makes the area focusable, so that it can be scrolled with the keyboard. */}
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={label}
        onScroll={onScroll}
        // With a `firstKey` the effect above corrects the scroll position, so switch the browser's anchoring
        // off.
        className={`min-h-0 flex-1 overflow-y-auto -outline-offset-2 ${firstKey === undefined ? '' : '[overflow-anchor:none]'}`}
      >
        {children}
      </div>
      {isGrowing && !isAtEnd && (
        <button
          type="button"
          onClick={() => setAtEnd(true)}
          className="absolute bottom-3 left-1/2 inline-flex min-h-8 -translate-x-1/2 cursor-pointer items-center gap-1.5 rounded-full bg-kumo-contrast px-3.5 py-1.5 text-[13px] font-medium text-kumo-inverse shadow-lg"
        >
          <ArrowDownIcon aria-hidden="true" />
          {text.common.jump}
        </button>
      )}
    </div>
  )
}
