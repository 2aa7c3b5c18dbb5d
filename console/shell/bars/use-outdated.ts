import { useEffect, useState } from 'react'
import { connection } from './browser-connection.ts'
import { isOutdated } from './new-version.ts'

const RECHECK_MS_MIN = 300_000

/**
 * Whether a newer console is available. Checked when the connection is back and when a chunk cannot be loaded. Also checked when the page
 * becomes visible, at most every 5 minutes.
 */
export function useOutdated(): boolean {
  const [outdated, setOutdated] = useState(false)
  useEffect(() => {
    if (outdated) return
    let askedAt = Date.now()
    const ask = () => {
      askedAt = Date.now()
      void isOutdated().then((outdated) => outdated && setOutdated(true))
    }
    const askWhenSeen = () => {
      if (document.visibilityState === 'visible' && Date.now() - askedAt > RECHECK_MS_MIN) ask()
    }
    const stop = connection.subscribe(() => {
      if (connection.get() === 'online') ask()
    })
    document.addEventListener('visibilitychange', askWhenSeen)
    // Vite fires this event when a chunk of the running build is no longer served.
    addEventListener('vite:preloadError', ask)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', askWhenSeen)
      removeEventListener('vite:preloadError', ask)
    }
  }, [outdated])
  return outdated
}
