import { type RefObject, useEffect, useRef, useState } from 'react'
import { type AppError, withError } from './app-error.ts'
import { readPreviewMessage } from './preview-message.ts'

interface PreviewReports {
  path: string
  errors: AppError[]
  storageBlocked: boolean
}
const NO_REPORTS: PreviewReports = { path: '', errors: [], storageBlocked: false }

/**
 * Receives the messages of the preview frame. Accepts only messages from the frame's own window, and only while the frame shows the address
 * from the API.
 */
export function usePreviewMessages(address: string | null): PreviewReports & {
  frame: RefObject<HTMLIFrameElement | null>
  clear: () => void
  /** Removes the reported errors and path, because the frame opens another page. */
  restart: () => void
} {
  const frame = useRef<HTMLIFrameElement>(null)
  const [heard, setHeard] = useState(NO_REPORTS)
  useEffect(() => {
    if (!address) return
    const { origin } = new URL(address)
    const listen = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return
      const message = readPreviewMessage(event.data)
      if (!message) return
      setHeard((before) => {
        if (message.kind === 'storage') return { ...before, storageBlocked: true }
        if (message.kind === 'error')
          return { ...before, errors: withError(before.errors, message, new Date()) }
        return { ...before, path: message.path }
      })
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [address])
  return {
    ...heard,
    frame,
    clear: () => setHeard((before) => ({ ...before, errors: [] })),
    restart: () => setHeard((before) => ({ ...before, errors: [], path: '' })),
  }
}
