import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { threadQuery } from '../../../api/project/plan.ts'
import { isAwaitingReply } from '../../../api/project/thread.ts'
import { useStore } from '../../../lib/store.ts'
import { awaitReply, type TurnView, turnViews, closeStreamsWhenHidden } from './turn-follower.ts'

export function useTurn(projectId: string): TurnView | null {
  return useStore(turnViews, (views) => views.get(projectId) ?? null)
}

/**
 * Returns the conversation with the plan agent of a project, and the reply that is being written, even when another tab started the reply.
 */
export function usePlan(projectId: string) {
  const thread = useQuery(threadQuery(projectId))
  const turn = useTurn(projectId)
  const isAwaiting = isAwaitingReply(thread.data)
  useEffect(() => {
    if (isAwaiting) awaitReply(projectId)
  }, [isAwaiting, projectId])
  useEffect(closeStreamsWhenHidden, [])
  return { thread, turn, isAwaiting }
}
