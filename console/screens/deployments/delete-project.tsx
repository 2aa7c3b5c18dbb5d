import type { DeleteProjectResponses, Project } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { deleteProject } from '../../api/project/deployments.ts'
import { href } from '../../routes.ts'
import { shipText } from '../../text/shipping.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const { remove: words } = shipText
type ProjectTeardown = DeleteProjectResponses[200]['data']['teardown']

/**
 * Deletes the project and its cloud resources. Lists the resources that could not be deleted, with a button
 * to continue.
 */
export function DeleteProject({ project }: { project: Project }) {
  const client = useQueryClient()
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const [left, setLeft] = useState<ProjectTeardown | null>(null)
  const remove = useMutation({
    mutationFn: () => deleteProject(project.id),
    onSuccess: ({ teardown }) => {
      setOpen(false)
      setLeft(teardown.remaining > 0 ? teardown : null)
      if (teardown.remaining > 0) return client.invalidateQueries({ queryKey: queryKeys.deployments.all })
      // A user who has opened a page outside of this project during the request stays there.
      const isHere = `${router.latestLocation.pathname}/`.startsWith(`${href.project(project.id)}/`)
      if (isHere) router.history.push(href.projects())
      return client.invalidateQueries({ queryKey: queryKeys.projects.lists })
    },
  })
  const close = () => {
    setOpen(false)
    // After an error the page offers a retry that does not ask for the typed name. Cancel resets the error,
    // so that no such retry remains.
    if (remove.isError) remove.reset()
  }
  return (
    <Panel
      title={words.title}
      hint={words.hint}
      action={
        left === null && (
          <Button size="sm" variant="secondary-destructive" onClick={() => setOpen(true)}>
            {words.action}
          </Button>
        )
      }
    >
      {left && <TeardownRemains teardown={left} busy={remove.isPending} onContinue={() => remove.mutate()} />}
      {remove.isError && !open && <FailureNote error={remove.error} onRetry={() => remove.mutate()} />}
      {open && (
        <Suspense fallback={null}>
          <Confirm
            title={words.confirm(project.name)}
            consequence={words.consequence}
            submit={words.action}
            typed={project.name}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={close}
          />
        </Suspense>
      )}
    </Panel>
  )
}

function TeardownRemains(props: { teardown: ProjectTeardown; busy: boolean; onContinue: () => void }) {
  const { remaining, failed } = props.teardown
  return (
    <div role="alert" className="space-y-2 rounded-lg bg-kumo-warning-tint px-3.5 py-3">
      <p className="font-medium text-kumo-strong">{words.left(remaining)}</p>
      <p className="text-[13px]">{words.leftHint}</p>
      <ul className="list-disc pl-5 text-[13px] empty:hidden">
        {failed.map(({ id, name, reason }) => (
          <li key={id} className="break-words">
            {name}: {reason}
          </li>
        ))}
      </ul>
      <Button size="sm" variant="destructive" loading={props.busy} onClick={props.onContinue}>
        {words.continue}
      </Button>
    </div>
  )
}
