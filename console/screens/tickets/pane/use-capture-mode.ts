import { useState } from 'react'

/** Whether a sentence is built at once, or becomes a ticket that waits. */
export const CAPTURE_MODES = ['build', 'add'] as const
type CaptureMode = (typeof CAPTURE_MODES)[number]

const KEY = 'slipway.wish'

/** The choice, kept in this browser for all projects. */
export function useCaptureMode(): [CaptureMode, (next: CaptureMode) => void] {
  const [wish, setWish] = useState(readCaptureMode)
  const choose = (next: CaptureMode) => {
    setWish(next)
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Storage is blocked: the choice is lost when the page closes.
    }
  }
  return [wish, choose]
}

function readCaptureMode(): CaptureMode {
  try {
    return localStorage.getItem(KEY) === 'add' ? 'add' : 'build'
  } catch {
    return 'build'
  }
}
