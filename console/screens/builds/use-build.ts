import { useSyncExternalStore } from 'react'
import { type BuildView, onBuildChange, viewOf } from './build-follower.ts'

/** The followed build of a ticket; null when none was followed in this tab yet. */
export function useBuild(ticketId: string | null): BuildView | null {
  return useSyncExternalStore(onBuildChange, () => (ticketId ? viewOf(ticketId) : null))
}
