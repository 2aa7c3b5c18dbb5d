import { Button } from '@cloudflare/kumo/components/button'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createIngestSource } from '../../../api/ingest.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { text } from '../../../text/en.ts'
import { ingestText } from '../../../text/ingest.en.ts'
import { FailureNote } from '../../../ui/failure.tsx'
import { ProjectPicker } from '../project-picker.tsx'
import { type NewSource, SourceOnce } from './source-once.tsx'

const form = ingestText.form

/** Adds a source and shows its secret once; the secret lives in this dialog and goes with it. */
export function SourceDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewSource | null>(null)
  return (
    // While the secret is on screen nothing closes it by accident.
    <Dialog.Root open onOpenChange={(open) => !open && made === null && onClose()}>
      <Dialog size="lg" className="max-h-[calc(100dvh-8rem)] w-full overflow-y-auto p-6">
        {made ? <SourceOnce source={made} onClose={onClose} /> : <Form onMade={setMade} onClose={onClose} />}
      </Dialog>
    </Dialog.Root>
  )
}

function Form(props: { onMade: (source: NewSource) => void; onClose: () => void }) {
  const client = useQueryClient()
  const first = useInfiniteQuery(projectsQuery()).data?.pages[0]?.items[0]
  const [chosen, setChosen] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const projectId = chosen ?? first?.id ?? null
  const create = useMutation({
    mutationFn: async (project: string) => ({ ...(await createIngestSource(project)), projectId: project }),
    onSuccess: (source) => {
      props.onMade(source)
      // The answer holds the secret, which has no business in any cache.
      create.reset()
      void client.invalidateQueries({ queryKey: ['ingest'] })
    },
    gcTime: 0,
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(!projectId)
    if (projectId) create.mutate(projectId)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{form.title}</Dialog.Title>
      {create.isError && <FailureNote title={form.failed} error={create.error} takeFocus />}
      <ProjectPicker label={form.project} value={projectId} onChange={setChosen} />
      {isMissing && !projectId && (
        <p role="alert" className="text-[13px] text-removed">
          {form.projectMissing}
        </p>
      )}
      <Dialog.Description className="text-[13px] text-kumo-subtle">{form.trust}</Dialog.Description>
      <div className="flex justify-end gap-2">
        <Button type="button" variant="secondary" onClick={props.onClose}>
          {text.common.cancel}
        </Button>
        <Button type="submit" variant="primary" loading={create.isPending}>
          {form.submit}
        </Button>
      </div>
    </form>
  )
}
