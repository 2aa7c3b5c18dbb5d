import { type RefCallback, useCallback, useState } from 'react'

/** The width of an element in pixels. 0 until the element is mounted. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [widthPx, setWidthPx] = useState(0)
  const box = useCallback<RefCallback<HTMLElement>>((element) => {
    if (element === null) return
    const observer = new ResizeObserver(() => setWidthPx(Math.round(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, widthPx]
}
