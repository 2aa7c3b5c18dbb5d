import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefCallback, useCallback, useState } from 'react'

/** About what a pane of rows has of the height of the window. */
const PANE_SHARE = 0.75

export interface WindowedRow {
  index: number
  /** Where the row begins below the list's own top. */
  startPx: number
}

/**
 * Which rows of a long list are in sight while the page, or the pane around it marked `data-scroller`, scrolls.
 * Give `box` to the list, `measure` and `data-index` to each row, and place each row at its `startPx`. Rows of
 * unequal height that come and go need `keyOf`, or they are given each other's heights.
 */
export function useWindowedRows(count: number, estimatePx: number, keyOf?: (index: number) => string) {
  const [place, setPlace] = useState<{ scroller: HTMLElement; topPx: number } | null>(null)
  const box = useCallback<RefCallback<HTMLElement>>((list) => {
    const scroller = list?.closest<HTMLElement>('[data-scroller], #content')
    if (!list || !scroller) return
    const follow = () => {
      const topPx =
        list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
      setPlace((before) => (before?.topPx === topPx ? before : { scroller, topPx }))
    }
    follow()
    // What stands above the list grows and shrinks.
    const observer = new ResizeObserver(follow)
    for (const part of scroller.children) observer.observe(part)
    return () => observer.disconnect()
  }, [])
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => place?.scroller ?? null,
    estimateSize: () => estimatePx,
    scrollMargin: place?.topPx ?? 0,
    overscan: 4,
    // Rows come with the page instead of in a second pass, when the height of their pane is known.
    initialRect: { width: innerWidth, height: innerHeight * PANE_SHARE },
    ...(keyOf && { getItemKey: keyOf }),
  })
  const margin = place?.topPx ?? 0
  return {
    box,
    measure: virtual.measureElement,
    reveal: (index: number) => virtual.scrollToIndex(index),
    totalPx: virtual.getTotalSize(),
    rows: virtual
      .getVirtualItems()
      .map(({ index, start }): WindowedRow => ({ index, startPx: start - margin })),
  }
}
