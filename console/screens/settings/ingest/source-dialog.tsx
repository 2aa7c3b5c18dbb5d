import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { createIngestSource } from '../../../api/organization/ingest.ts'
import { projectsQuery } from '../../../api/project/projects.ts'
import { ingestText } from '../../../text/ingest.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ShowOnceDialog } from '../../../ui/dialogs/show-once-dialog.tsx'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { ProjectPicker } from '../project-picker.tsx'
import { type NewSource, ShowOnceSource } from './show-once-source.tsx'

const sourceFormText = ingestText.form

/** Creates an ingest source and shows its secret once. */
export function SourceDialog({ onClose }: { onClose: () => void }) {
  return (
    <ShowOnceDialog<NewSource>
      onClose={onClose}
      form={(onMade, onBusy) => <SourceForm onMade={onMade} onBusy={onBusy} onClose={onClose} />}
      once={(source) => <ShowOnceSource source={source} onClose={onClose} />}
    />
  )
}

function SourceForm(props: {
  onMade: (source: NewSource) => void
  onBusy: (isBusy: boolean) => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const first = useInfiniteQuery(projectsQuery()).data?.pages[0]?.items[0]
  const [chosen, setChosen] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const projectId = chosen ?? first?.id ?? null
  const create = useMutation({
    onMutate: () => props.onBusy(true),
    mutationFn: async (project: string) => ({ ...(await createIngestSource(project)), projectId: project }),
    onSuccess: (source) => {
      props.onMade(source)
      // Reset the mutation, because its response holds the secret, which must not stay in the cache.
      create.reset()
      void client.invalidateQueries({ queryKey: queryKeys.ingest })
    },
    onSettled: () => props.onBusy(false),
    gcTime: 0,
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(!projectId)
    if (projectId) create.mutate(projectId)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
        {sourceFormText.title}
      </Dialog.Title>
      {create.isError && <FailureNote title={sourceFormText.failed} error={create.error} takeFocus />}
      <ProjectPicker label={sourceFormText.project} value={projectId} onChange={setChosen} />
      {isMissing && !projectId && (
        <p role="alert" className="text-[13px] text-removed">
          {sourceFormText.projectMissing}
        </p>
      )}
      <Dialog.Description className="text-[13px] text-kumo-subtle">{sourceFormText.trust}</Dialog.Description>
      <FormFooter mustStay submit={sourceFormText.submit} busy={create.isPending} onClose={props.onClose} />
    </form>
  )
}
