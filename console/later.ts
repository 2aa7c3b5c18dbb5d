import { giveTooltip } from './ui/controls/late-tooltip.tsx'

let parts: Promise<void> | null = null

/** Loads what the first view does not need: the styles of all screens, and the tooltips. */
export function loadLater(): Promise<void> {
  parts ??= import('./later-parts.ts').then(
    ({ Tooltip }) => giveTooltip(Tooltip),
    (error: unknown) => {
      parts = null
      throw error
    },
  )
  return parts
}
