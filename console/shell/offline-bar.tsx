import { WifiSlashIcon } from '@phosphor-icons/react'
import { useSyncExternalStore } from 'react'
import { text } from '../text/en.ts'

/** Says that the network is gone; reads resume by themselves when it is back. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-kumo-banner-warning px-4 py-1.5 text-sm">
          <WifiSlashIcon aria-hidden="true" />
          {text.common.offline}
        </p>
      )}
    </div>
  )
}

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
