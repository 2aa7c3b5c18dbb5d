import { type RefObject, useEffect, useRef, useState } from 'react'
import { readPreviewMessage } from './preview-message.ts'

const ERRORS_KEPT = 50

interface Heard {
  path: string
  errors: string[]
  storageBlocked: boolean
}
const NOTHING: Heard = { path: '', errors: [], storageBlocked: false }

/** Listens to the frame: only to its own window, and only while it shows the address the API gave. */
export function usePreviewMessages(address: string | null): Heard & {
  frame: RefObject<HTMLIFrameElement | null>
  clear: () => void
} {
  const frame = useRef<HTMLIFrameElement>(null)
  const [heard, setHeard] = useState(NOTHING)
  useEffect(() => {
    if (!address) return
    const { origin } = new URL(address)
    const listen = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return
      const message = readPreviewMessage(event.data)
      if (!message) return
      setHeard((before) => {
        if (message.kind === 'ready') return { ...before, errors: [] }
        if (message.kind === 'navigate') return { ...before, path: message.path }
        if (message.kind === 'storage') return { ...before, storageBlocked: true }
        return { ...before, errors: [...before.errors, message.message].slice(-ERRORS_KEPT) }
      })
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [address])
  return { ...heard, frame, clear: () => setHeard((before) => ({ ...before, errors: [] })) }
}
