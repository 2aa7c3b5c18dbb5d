import { Dialog } from '@cloudflare/kumo/components/dialog'
import { RocketLaunchIcon } from '@phosphor-icons/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { connectionsQuery } from '../../api/organization/connections.ts'
import { deploymentQuery, shipProject } from '../../api/project/deployments.ts'
import type { DeployState as Deployment, Project } from '@slipway/sdk/client/types.gen.ts'
import { text } from '../../text/en.ts'
import { shipText } from '../../text/shipping.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { Comparison } from './comparison.tsx'
import { accessSentence } from './record-access.ts'
import { ShipDone } from './ship-done.tsx'
import { ShipProgress } from './ship-progress.tsx'
import { isUpToDate } from './up-to-date.ts'
import { useRecordAccess } from './use-record-access.ts'

export function ShipDialog(props: { project: Project; deployment: Deployment; onClose: () => void }) {
  const { project, onClose } = props
  const client = useQueryClient()
  // Keep the deployment from when the dialog opened, to show what is replaced. `deployment` changes while the new version is deployed.
  const [before] = useState(props.deployment)
  const deployment = useQuery(deploymentQuery(project.id)).data ?? props.deployment
  const ship = useMutation({
    mutationFn: () => shipProject(project.id),
    onSuccess: (shipped) => client.setQueryData(deploymentQuery(project.id).queryKey, shipped),
    onSettled: () => void invalidateAll(client, changedBy.deployment),
  })
  const isLocal = useQuery(connectionsQuery()).data?.cloudflare.profile === 'local'
  const { access } = useRecordAccess(project.id, before.builtSha)
  const isShipping = ship.isPending || (ship.isSuccess && deployment.state === 'deploying')
  const isDone = ship.isSuccess && deployment.state === 'live' && deployment.url !== null
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog
        size="lg"
        className="flex w-full flex-col gap-4 p-6 max-sm:top-auto max-sm:bottom-0 max-sm:max-w-none max-sm:translate-y-0 max-sm:rounded-b-none"
      >
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
          {isDone ? (isLocal ? shipText.liveHereDone : workText.ship.done) : workText.ship.title}
        </Dialog.Title>
        {isDone && deployment.url ? (
          <ShipDone url={deployment.url} onClose={onClose} />
        ) : (
          <>
            <Dialog.Description className="text-kumo-subtle">
              {consequenceOf(before, isLocal)}
            </Dialog.Description>
            {access !== null && <p className="text-kumo-default">{accessSentence(access, isLocal)}</p>}
            {!isUpToDate(before) && <Comparison projectId={project.id} deployment={before} />}
            {isShipping && (
              <ShipProgress
                hint={ship.isSuccess ? workText.ship.stillShipping : workText.ship.shippingHint}
              />
            )}
            {ship.isError && <FailureNote title={workText.ship.failed} error={ship.error} takeFocus />}
            {ship.isSuccess && deployment.state === 'error' && (
              <p role="alert" className="rounded-lg bg-kumo-danger-tint px-3.5 py-3">
                {workText.ship.failed}. {deployment.error} {before.sha && workText.ship.keptLive}
              </p>
            )}
            <div className="flex justify-end gap-2">
              <Button variant="secondary" onClick={onClose}>
                {isShipping ? text.common.close : text.common.cancel}
              </Button>
              <Button
                variant="primary"
                icon={<RocketLaunchIcon weight="fill" />}
                loading={isShipping}
                onClick={() => ship.mutate()}
              >
                {isShipping ? workText.ship.shipping : workText.ship.project}
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </Dialog.Root>
  )
}

function consequenceOf(before: Deployment, isLocal: boolean): string {
  const { ship } = workText
  if (before.move?.state === 'waiting')
    return before.move.liveData === 'copy' ? ship.consequenceMove : ship.consequenceMoveEmpty
  if (isUpToDate(before)) return ship.consequenceSame
  if (before.sha) return ship.consequenceAgain
  return isLocal ? ship.consequenceLocal : ship.consequence
}
