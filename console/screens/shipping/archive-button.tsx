import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { archiveProject, unarchiveProject } from '../../api/project/deployments.ts'
import { shipText } from '../../text/shipping.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

/** Archiving and restoring change the deployment, the project lists and the project itself, so all of them are refetched. */
function useLifecycle(change: () => Promise<Project>, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await invalidateAll(client, changedBy.deployment)
      onDone()
    },
  })
}

export function ArchiveButton({ project }: { project: Project }) {
  const [open, setOpen] = useState(false)
  const archive = useLifecycle(
    () => archiveProject(project.id),
    () => setOpen(false),
  )
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {shipText.archive.action}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Confirm
            title={shipText.archive.title(project.name)}
            consequence={shipText.archive.consequence}
            submit={shipText.archive.action}
            busy={archive.isPending}
            error={archive.error}
            onConfirm={() => archive.mutate()}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

export function UnarchiveButton({ project }: { project: Project }) {
  const unarchive = useLifecycle(
    () => unarchiveProject(project.id),
    () => {},
  )
  return (
    <>
      <Button variant="primary" loading={unarchive.isPending} onClick={() => unarchive.mutate()}>
        {shipText.unarchive.action}
      </Button>
      {unarchive.isError && (
        <div className="basis-full">
          <FailureNote title={shipText.unarchive.failed} error={unarchive.error} takeFocus />
        </div>
      )}
    </>
  )
}
