import { onlineManager } from '@tanstack/react-query'
import { onFailedCall } from '../../api/request/failure-ring.ts'
import { afterFirstView } from '../../first-view.ts'
import { Connection } from './connection.ts'

/** Error codes that may mean that the whole service is down, and not only this request failed. */
const OUTAGE_CODES = new Set(['connection', 'timeout', 'unavailable', 'unexpected_response'])

/** The connection of this page to the service. Queries pause while the connection is lost and resume when it is back. */
export const connection = new Connection({
  isOnline: () => navigator.onLine,
  isHealthy: async () => {
    try {
      return (await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })).ok
    } catch {
      return false
    }
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

// The browser's `online` event is not enough to resume: the service must respond first.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(connection.get() === 'online')),
)
for (const event of ['online', 'offline']) addEventListener(event, () => void connection.check())
onFailedCall(({ code }) => {
  if (OUTAGE_CODES.has(code)) void connection.check()
})
void afterFirstView().then(() => connection.check())
