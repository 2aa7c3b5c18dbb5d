import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { text } from '../text/en.ts'
import { BuildNotifications } from './build-notifications.tsx'
import { loadPalette } from './app-dialogs.tsx'
import { removeOldDrafts } from './clear-drafts.ts'

const PREFETCH_MS = 2000

/** The parts of the app shell that load after the first page is shown: the progress bar and the notifications of builds. */
export function DeferredShell() {
  useEffect(() => {
    const timer = setTimeout(() => {
      // Load the palette in advance. Ignore a failure here, because opening the palette reports it.
      loadPalette().catch(() => {})
      removeOldDrafts()
    }, PREFETCH_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <PageProgress />
      <BuildNotifications />
    </>
  )
}

/** A progress bar at the top while the next page loads. It appears with a delay, because most pages load faster than that. */
function PageProgress() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' })
  if (!isPending) return null
  return (
    <div
      role="progressbar"
      aria-label={text.common.loading}
      className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden [animation:enter_180ms_200ms_backwards]"
    >
      <div className="animate-ship h-full w-1/3 rounded-full bg-tide" />
    </div>
  )
}
