import { SlipwayError } from '@slipway/sdk/errors.ts'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, use, useEffect, useEffectEvent } from 'react'
import { isPolicyRefusal } from '../../api/request/query-client.ts'
import { loadDeferred } from '../../deferred.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { InAppShell } from '../../shell/in-app-shell.ts'

const Gate = lazy(async () => {
  const [{ Gate }] = await Promise.all([import('./gate.tsx'), loadDeferred()])
  return { default: Gate }
})

/** Shown in place of a whole page: after an error, while the connection is lost, or when the organization refuses the session. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const tryAgain = () => {
    reset()
    void router.invalidate()
  }
  if (!isGate(error)) return <FailedPage error={error} onRetry={tryAgain} />
  return (
    <Suspense fallback={null}>
      <Gate error={error} onPassed={tryAgain} />
    </Suspense>
  )
}

/** Whether the error concerns the whole session. `forbidden` from `getMe` means that the user has no organization. */
const isGate = (error: unknown): error is SlipwayError =>
  isPolicyRefusal(error) ||
  (error instanceof SlipwayError && error.code === 'forbidden' && error.path.endsWith('/me'))

function FailedPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  usePageTitle(text.failure.title)
  useRetryWhenBack(error, onRetry)
  const Place = use(InAppShell) ? 'div' : 'main'
  return (
    <Place className="mx-auto grid min-h-[70dvh] w-full max-w-lg min-w-0 place-content-center gap-4 px-6">
      <PageHeading>{text.failure.title}</PageHeading>
      <FailureNote error={error} onRetry={onRetry} />
    </Place>
  )
}

/** Reloads the failed page automatically once the service is back. */
function useRetryWhenBack(error: unknown, onRetry: () => void): void {
  const retry = useEffectEvent(onRetry)
  const wasAway = error instanceof SlipwayError && error.code === 'connection'
  useEffect(() => {
    if (!wasAway) return
    let isGone = false
    const retryWhenBack = async () => {
      const { connection } = await import('../../shell/bars/browser-connection.ts')
      await connection.whenBack()
      if (!isGone) retry()
    }
    void retryWhenBack()
    return () => {
      isGone = true
    }
  }, [wasAway, error])
}
