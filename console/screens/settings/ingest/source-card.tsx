import type { IngestSource } from '@slipway/sdk/client/types.gen.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { removeFromList } from '../../../api/request/remove-from-list.ts'
import { deleteIngestSource } from '../../../api/organization/ingest.ts'
import { projectQuery, projectsQuery } from '../../../api/project/projects.ts'
import { href } from '../../../routes.ts'
import { ingestText } from '../../../text/ingest.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { Card } from '../card-list.tsx'

const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

export function SourceCard({ source }: { source: IngestSource }) {
  const client = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const project = useProjectName(source.projectId)
  const remove = useMutation({
    mutationFn: () => deleteIngestSource(source.id),
    onSuccess: () => removeFromList(client, queryKeys.ingest, source.id),
  })
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="truncate font-medium">
            <a href={href.project(source.projectId)} className="text-kumo-strong hover:underline">
              {project}
            </a>
          </h2>
          <p className="mt-0.5 flex items-center gap-1">
            <code className="min-w-0 font-mono text-xs break-all text-kumo-subtle">{source.webhookUrl}</code>
            <CopyButton value={source.webhookUrl} label={ingestText.copyAddress(project)} />
          </p>
          <p className="text-[13px] text-kumo-subtle">
            {ingestText.created} <RelativeTime at={source.createdAt} />
          </p>
        </div>
        <Button
          size="sm"
          variant="secondary-destructive"
          aria-label={ingestText.removeOf(project)}
          onClick={() => setRemoving(true)}
        >
          {ingestText.remove}
        </Button>
      </div>
      {isRemoving && (
        <Suspense fallback={null}>
          <Confirm
            title={ingestText.removeTitle(project)}
            consequence={ingestText.removeConsequence}
            submit={ingestText.removeSubmit}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setRemoving(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}

/** The name of a project. Usually the list of projects has it; otherwise one request reads it. */
function useProjectName(projectId: string): string {
  const list = useInfiniteQuery(projectsQuery())
  const listed = list.data?.pages.flatMap((page) => page.items).find(({ id }) => id === projectId)
  const one = useQuery({ ...projectQuery(projectId), enabled: list.isSuccess && listed === undefined })
  return listed?.name ?? one.data?.name ?? projectId
}
