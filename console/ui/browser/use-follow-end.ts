import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const NEAR_END_PX = 48

/** Whether a scroll area is at its end, or close to it. Then it keeps following new content. */
export const isNearEnd = (area: HTMLElement): boolean =>
  area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX

interface EndFollowing {
  box: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  onScroll: () => void
  jump: () => void
}

/**
 * Keeps a growing scroll area at its end, unless the reader has scrolled away. Older content that is added at the top, which changes
 * `firstKey`, does not move what is visible. The area's first child must contain all of its content.
 */
export function useFollowEnd(firstKey: string | undefined): EndFollowing {
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
    if (!area || !content) return
    const follow = () => {
      if (isAtEnd) area.scrollTop = area.scrollHeight
      before.current.heightPx = area.scrollHeight
    }
    const observer = new ResizeObserver(follow)
    observer.observe(content)
    // Observe the area as well, because it shrinks when something opens above or below it.
    observer.observe(area)
    follow()
    return () => observer.disconnect()
  }, [isAtEnd])
  const onScroll = useCallback(() => {
    const area = box.current
    if (area) setAtEnd(isNearEnd(area))
  }, [])
  const jump = useCallback(() => setAtEnd(true), [])
  return { box, isAtEnd, onScroll, jump }
}
