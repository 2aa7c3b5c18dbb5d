import type { ReactNode } from 'react'

/** `busy` pulses, and `ask` needs a decision of a person. */
export type StateTone = 'good' | 'busy' | 'quiet' | 'bad' | 'ask'

const TONE_COLOURS: Record<StateTone, string> = {
  good: 'bg-kumo-success',
  busy: 'bg-tide animate-pulse-dot',
  quiet: 'ring-1 ring-inset ring-kumo-placeholder',
  bad: 'bg-kumo-danger',
  ask: 'bg-kumo-warning',
}

/** A state as text with a coloured dot. The dot is decorative. */
export function StateDot({ tone, children }: { tone: StateTone; children: ReactNode }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${TONE_COLOURS[tone]}`} />
      {children}
    </span>
  )
}
