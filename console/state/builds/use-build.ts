import { useStore } from '../../lib/store.ts'
import { type BuildView, buildViews } from './build-follower.ts'

/** Returns the followed build of a ticket, or null when this tab has not followed one. */
export function useBuild(ticketId: string | null): BuildView | null {
  return useBuildPart(ticketId, (view) => view)
}

/**
 * Returns what `read` selects from a followed build: a plain value or an existing part of the view. The
 * component renders again only when the selected part changes, not with every token of the model.
 */
export function useBuildPart<T>(ticketId: string | null, read: (view: BuildView | null) => T): T {
  return useStore(buildViews, (views) => read((ticketId !== null && views.get(ticketId)) || null))
}
