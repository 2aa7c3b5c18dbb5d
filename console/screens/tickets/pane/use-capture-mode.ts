import { useState } from 'react'

/** `build` builds a captured sentence at once; `add` only makes it a ticket. */
export const CAPTURE_MODES = ['build', 'add'] as const
type CaptureMode = (typeof CAPTURE_MODES)[number]

const STORAGE_KEY = 'slipway.wish'

/** Returns the chosen mode, which this browser stores for all projects. */
export function useCaptureMode(): [CaptureMode, (next: CaptureMode) => void] {
  const [wish, setWish] = useState(readCaptureMode)
  const choose = (next: CaptureMode) => {
    setWish(next)
    try {
      localStorage.setItem(STORAGE_KEY, next)
    } catch {
      // Storage is blocked, so the choice is lost when the page closes.
    }
  }
  return [wish, choose]
}

function readCaptureMode(): CaptureMode {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'add' ? 'add' : 'build'
  } catch {
    return 'build'
  }
}
