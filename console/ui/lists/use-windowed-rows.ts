import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefCallback, useCallback, useState } from 'react'

/** The estimated height of a pane of rows, as a share of the window's height. */
const PANE_SHARE = 0.75

/** A row that is rendered now. */
export interface WindowedRow {
  index: number
  /** The top edge of the row, relative to the list. */
  startPx: number
}

/**
 * Returns the visible rows of a long list. The scroller is the page or a pane marked `data-scroller`. Pass `box` to the list, `measure` and
 * `data-index` to each row, and place each row at its `startPx`. `keyOf` returns the React key of a row. Heights are stored by this key, so
 * that a row keeps its height when rows are added or removed before it.
 */
export function useWindowedRows(count: number, estimatePx: number, keyOf: (index: number) => string) {
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
    // Measure again when content above the list changes its height.
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
    // With an initial size the first render has rows already, before the pane is measured.
    initialRect: { width: innerWidth, height: innerHeight * PANE_SHARE },
    getItemKey: keyOf,
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
