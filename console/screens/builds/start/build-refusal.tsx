import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useEffect } from 'react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { workText } from '../../../text/workspace.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { type BuildView, dismissRefusal, startBuild } from '../../../state/builds/build-follower.ts'
import { isModelRequired, ModelMissing } from '../model/model-missing.tsx'
import { BusyNote } from '../queue/queue-notes.tsx'

export function BuildRefusal({
  project,
  ticket,
  view,
}: {
  project: Project
  ticket: Ticket
  view: BuildView
}) {
  const { refusal, answers } = view
  const client = useQueryClient()
  const isConflict = refusal instanceof SlipwayError && refusal.code === 'conflict'
  useEffect(() => {
    // A conflict means that a build runs which the cached queue does not show: another ticket's build, or this ticket's build when the
    // response to an earlier request was lost.
    if (isConflict) void client.invalidateQueries({ queryKey: queueQuery(project.id).queryKey })
  }, [client, isConflict, project.id])
  const running = useQuery(queueQuery(project.id)).data?.running ?? null
  const retryBuild = () => startBuild(project.id, ticket.id, { answers })
  const back = () => dismissRefusal(project.id, ticket.id, ticket.build.runId)
  return (
    <div className="space-y-3 overflow-y-auto p-4">
      {isModelRequired(refusal) ? (
        <ModelMissing error={refusal} onConnected={retryBuild} />
      ) : isConflict && running && running.ticketId !== ticket.id ? (
        <BusyNote
          projectId={project.id}
          ticketId={ticket.id}
          title={ticket.title}
          running={running}
          // A queued build uses the default answers, so a build with other answers is not queued.
          canQueue={answers === null}
          onQueued={back}
        />
      ) : (
        <FailureNote title={workText.build.startFailed} error={refusal} onRetry={retryBuild} />
      )}
      {ticket.build.runId !== null && (
        <Button size="sm" variant="ghost" onClick={back}>
          {answers ? workText.build.backToQuestions : workText.build.backToLast}
        </Button>
      )}
    </div>
  )
}
