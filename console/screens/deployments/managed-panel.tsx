import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { type ManagedResource, reconcileProject } from '../../api/project/deployments.ts'
import { shipText } from '../../text/shipping.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { metadataOf } from '../capabilities/capability-metadata.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { ManagedRow } from './managed-row.tsx'
import { ReconcileResult } from './reconcile-result.tsx'
import { groupResources, kindDeletedBy } from './resources.ts'

const { managed: words } = shipText

export function ManagedPanel({ projectId, managed }: { projectId: string; managed: ManagedResource[] }) {
  const client = useQueryClient()
  const [removed, setRemoved] = useState('')
  const reconcile = useMutation({
    mutationFn: () => reconcileProject(projectId),
    // The reconciliation may create the removed resource again, so hide the message that it was removed.
    onMutate: () => setRemoved(''),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.deployments.all }),
  })
  const noteRemoval = (sentence: string) => {
    // The removed resource may be one that the last reconciliation repaired.
    reconcile.reset()
    setRemoved(sentence)
  }
  return (
    <Panel
      title={words.title}
      hint={words.reconcileHint}
      action={
        <Button size="sm" loading={reconcile.isPending} onClick={() => reconcile.mutate()}>
          {words.reconcile}
        </Button>
      }
    >
      <div role="status" className="space-y-2 empty:hidden">
        {reconcile.data && <ReconcileResult result={reconcile.data} managed={managed} />}
        {removed && <p className="mb-3 rounded-lg bg-kumo-fill px-3.5 py-2.5 break-words">{removed}</p>}
      </div>
      {reconcile.isError && <FailureNote title={words.reconcileFailed} error={reconcile.error} takeFocus />}
      {managed.length === 0 && <p className="text-kumo-subtle">{words.empty}</p>}
      <div className="space-y-4">
        {groupResources(managed).map(({ capability, resources }) => (
          <div key={capability ?? ''}>
            <h3 className="text-xs font-medium text-kumo-subtle">
              {capability === null ? words.app : (metadataOf(capability)?.title ?? capability)}
            </h3>
            <ul className="divide-y divide-kumo-line">
              {resources.map((resource) => (
                <ManagedRow
                  key={resource.id}
                  projectId={projectId}
                  resource={resource}
                  loss={kindDeletedBy(resource, managed)}
                  onRemoved={noteRemoval}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Panel>
  )
}
