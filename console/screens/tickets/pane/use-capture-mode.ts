import { useState } from 'react'
import { readChoice, storeChoice } from '../../../lib/stored-choice.ts'

/** `build` builds a captured sentence at once; `add` only makes it a ticket. */
export const CAPTURE_MODES = ['build', 'add'] as const
type CaptureMode = (typeof CAPTURE_MODES)[number]

const STORAGE_KEY = 'slipway.wish'

/** Returns the chosen mode, which this browser stores for all projects. */
export function useCaptureMode(): [CaptureMode, (next: CaptureMode) => void] {
  const [mode, setMode] = useState(readCaptureMode)
  const choose = (next: CaptureMode) => {
    setMode(next)
    storeChoice(STORAGE_KEY, next)
  }
  return [mode, choose]
}

function readCaptureMode(): CaptureMode {
  return readChoice(STORAGE_KEY) === 'add' ? 'add' : 'build'
}
