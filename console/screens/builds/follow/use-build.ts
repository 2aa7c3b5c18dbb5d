import { useSyncExternalStore } from 'react'
import { type BuildView, onBuildChange, viewOf } from './build-follower.ts'

/** The followed build of a ticket; null when none was followed in this tab yet. */
export function useBuild(ticketId: string | null): BuildView | null {
  return useBuildPart(ticketId, (view) => view)
}

/**
 * One thing about the followed build of a ticket; whoever asks is called again when it changes, and not with every
 * word of the model. What `read` answers must be a plain value or a part of the view.
 */
export function useBuildPart<T>(ticketId: string | null, read: (view: BuildView | null) => T): T {
  return useSyncExternalStore(onBuildChange, () => read(ticketId ? viewOf(ticketId) : null))
}
