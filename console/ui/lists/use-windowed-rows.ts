import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefCallback, useCallback, useState } from 'react'

/** The estimated height of a pane of rows as a share of the window's. */
const PANE_SHARE = 0.75

export interface WindowedRow {
  index: number
  /** The top of the row, relative to the list. */
  startPx: number
}

/**
 * The visible rows of a long list while the page, or the enclosing pane marked `data-scroller`, scrolls. Pass
 * `box` to the list, `measure` and `data-index` to each row, and position each row at its `startPx`. Rows of
 * unequal height that come and go need `keyOf`, or they get each other's heights.
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
    // Content above the list may change its height.
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
    // An initial size renders rows at once, instead of after the pane was measured.
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
