import { useEffect } from 'react'
import { BuildNotifications } from './build-notifications.tsx'
import { loadPalette } from './app-dialogs.tsx'
import { PageProgress } from './page-progress.tsx'

const PREFETCH_MS = 2000

/** The parts of the app's frame that load after the first view: the progress bar and the notifications of builds. */
export function DeferredShell() {
  useEffect(() => {
    // Load the palette in advance. Ignore a failure here, because opening the palette reports it.
    const timer = setTimeout(() => void loadPalette().catch(() => {}), PREFETCH_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <PageProgress />
      <BuildNotifications />
    </>
  )
}
