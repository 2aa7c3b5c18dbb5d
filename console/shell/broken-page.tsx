import type { ErrorComponentProps } from '@tanstack/react-router'
import { text } from '../text/en.ts'
import { FailureNote } from '../ui/failure.tsx'
import { usePageTitle } from '../ui/page.tsx'

/** What is left when a whole page fails, usually because the service cannot be reached. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  usePageTitle(text.failure.title)
  return (
    <main
      id="content"
      className="mx-auto grid min-h-[70dvh] w-full max-w-lg min-w-0 place-content-center gap-4 px-6"
    >
      <h1 className="text-[22px] font-semibold text-kumo-strong">{text.failure.title}</h1>
      <FailureNote error={error} onRetry={reset} />
    </main>
  )
}
