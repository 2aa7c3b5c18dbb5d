import { EVENTS_AT_ONCE, GROUP_CHARS_MAX } from './limits.ts'
import type { EventDetails } from './types.ts'

/** Events within this time are sent in one request. */
const SEND_DELAY_MS = 2000

interface SentEvent extends EventDetails {
  name: string
  path: string
}

let waitingEvents: SentEvent[] = []
let sendTimer: ReturnType<typeof setTimeout> | undefined

/** Counts an event of this page. It is sent with others, and at the latest when the person leaves the page. */
export function addEvent(name: string, { group, value }: EventDetails = {}): void {
  // A person who asks not to be tracked causes no request. The server checks this setting, too.
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true) return
  if (sendTimer === undefined && waitingEvents.length === 0)
    addEventListener('pagehide', sendEvents, { once: true })
  waitingEvents.push({
    name,
    path: location.pathname,
    // A very long group would make the request too large, and all of its events would be lost.
    ...(group !== undefined && group.length <= GROUP_CHARS_MAX && { group }),
    ...(value !== undefined && { value }),
  })
  if (waitingEvents.length >= EVENTS_AT_ONCE) sendEvents()
  else sendTimer ??= setTimeout(sendEvents, SEND_DELAY_MS)
}

export const trackView = (): void => addEvent('pageview')

/** Uses a beacon, which the browser sends even while the page closes. */
function sendEvents(): void {
  clearTimeout(sendTimer)
  sendTimer = undefined
  if (waitingEvents.length === 0) return
  const body = new Blob([JSON.stringify({ events: waitingEvents })], { type: 'application/json' })
  waitingEvents = []
  navigator.sendBeacon('/_app/events', body)
}
