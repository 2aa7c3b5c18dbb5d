import { useEffect } from 'react'
import { BuildNews } from './build-news.tsx'
import { loadPalette } from './layers.tsx'
import { PageProgress } from './page-progress.tsx'

const PREFETCH_MS = 2000

/** What the frame needs only after its first view: the progress above the page, and news of builds. */
export function FrameLater() {
  useEffect(() => {
    // In hand before it is asked for; what fails here is told when it is.
    const timer = setTimeout(() => void loadPalette().catch(() => {}), PREFETCH_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <PageProgress />
      <BuildNews />
    </>
  )
}
