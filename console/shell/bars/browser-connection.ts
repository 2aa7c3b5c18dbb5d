import { onlineManager } from '@tanstack/react-query'
import { onFailedCall } from '../../api/request/failure-ring.ts'
import { afterFirstView } from '../../first-view.ts'
import { Connection } from './connection.ts'

/** Codes that may mean that the service itself is away and not just this one answer. */
const MAY_BE_AWAY = new Set(['connection', 'timeout', 'unavailable', 'unexpected_response'])

/** The connection of this page; reads rest while it is gone and go on by themselves when it is back. */
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

// The browser's word alone does not start the reads again: the service has to answer first.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(connection.get() === 'online')),
)
for (const event of ['online', 'offline']) addEventListener(event, () => void connection.check())
onFailedCall(({ code }) => {
  if (MAY_BE_AWAY.has(code)) void connection.check()
})
void afterFirstView().then(() => connection.check())
