import { useRouterState } from '@tanstack/react-router'
import { text } from '../text/en.ts'

/** A progress bar at the top while the next page loads. It appears with a delay, because most pages load faster than that. */
export function PageProgress() {
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
