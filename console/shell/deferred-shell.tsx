import { useEffect } from 'react'
import { BuildNotifications } from './build-notifications.tsx'
import { loadPalette } from './app-dialogs.tsx'
import { PageProgress } from './page-progress.tsx'

const PREFETCH_MS = 2000

/** The parts of the frame that load after the first view: the progress bar and the news of builds. */
export function DeferredShell() {
  useEffect(() => {
    // Prefetch. A failure here is ignored, because opening the palette reports it.
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
