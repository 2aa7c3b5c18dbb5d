import { giveTooltip } from './ui/controls/late-tooltip.tsx'

/** Screens that stand with app.css alone. */
const FIRST_VIEWS = new Set(['/sign-in', '/sign-up', '/projects'])

let parts: Promise<void> | null = null
let areThere = false

/** Fetches what follows the first view: the styles of all screens, and the tooltips. */
export function loadLater(): Promise<void> {
  parts ??= import('./later-parts.ts').then(
    ({ Tooltip }) => {
      giveTooltip(Tooltip)
      areThere = true
    },
    (error: unknown) => {
      parts = null
      throw error
    },
  )
  return parts
}

/** Holds any other screen back until these are there: it never shows without its styles. */
export async function requireLater(pathname: string): Promise<void> {
  if (!areThere && !FIRST_VIEWS.has(pathname)) await loadLater()
}
