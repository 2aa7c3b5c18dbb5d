import { setTooltip } from './ui/controls/deferred-tooltip.tsx'

let parts: Promise<void> | null = null

/** Loads what the first view does not need: the styles of the other screens, and the tooltips. */
export function loadDeferred(): Promise<void> {
  parts ??= import('./deferred-parts.ts').then(
    ({ Tooltip }) => setTooltip(Tooltip),
    (error: unknown) => {
      parts = null
      throw error
    },
  )
  return parts
}
