import { loadOnce } from './lib/load-once.ts'
import { setTooltip } from './ui/controls/deferred-tooltip.tsx'

/** Loads what the first view does not need: the styles of the other screens, and the tooltips. */
export const loadDeferred = loadOnce(async () => setTooltip((await import('./deferred-parts.ts')).Tooltip))
