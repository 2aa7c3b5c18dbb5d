import { type RefCallback, useCallback, useState } from 'react'

/** Whether an element has ever been near the visible part of the page. */
export function useNear(): [RefCallback<HTMLElement>, boolean] {
  const [isNear, setIsNear] = useState(false)
  const box = useCallback<RefCallback<HTMLElement>>((element) => {
    if (element === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true)
      },
      { rootMargin: '800px 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, isNear]
}
