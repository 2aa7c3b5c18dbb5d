import { useStore } from '../../../lib/store.ts'
import { type BuildView, buildViews } from './build-follower.ts'

/** The followed build of a ticket; null when this tab has followed none. */
export function useBuild(ticketId: string | null): BuildView | null {
  return useBuildPart(ticketId, (view) => view)
}

/**
 * The part of a followed build that `read` returns: a plain value or an existing part of the view. The
 * component renders again only when that part changes, not with every token of the model.
 */
export function useBuildPart<T>(ticketId: string | null, read: (view: BuildView | null) => T): T {
  return useStore(buildViews, (views) => read((ticketId !== null && views.get(ticketId)) || null))
}
