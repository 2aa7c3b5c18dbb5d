import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches. Updates when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Whether the window is wide enough for three panes side by side. */
export const useWide = () => useMedia('(min-width: 900px)')
