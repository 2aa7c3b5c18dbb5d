import { CloudWarningIcon } from '@phosphor-icons/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'
import { republishPreview } from '../../api/project/preview.ts'
import { previewText } from '../../text/preview.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'

/** Shown when a build exists but its preview does not. Publishes the preview again without building. */
export function Republish(props: { projectId: string; isAlone?: boolean; onPublished: () => void }) {
  const client = useQueryClient()
  const publish = useMutation({
    mutationFn: () => republishPreview(props.projectId),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.projects.one(props.projectId) })
      props.onPublished()
    },
  })
  const button = (
    <Button size={props.isAlone ? 'base' : 'sm'} loading={publish.isPending} onClick={() => publish.mutate()}>
      {previewText.republish}
    </Button>
  )
  const failure = publish.isError && <FailureNote title={previewText.republishFailed} error={publish.error} />
  if (props.isAlone)
    return (
      <div className="m-auto space-y-3 p-4">
        <EmptyNote
          icon={<CloudWarningIcon />}
          title={previewText.failed}
          hint={previewText.failedHint}
          action={button}
        />
        {failure}
      </div>
    )
  if (publish.isSuccess) return null
  return (
    <div
      role="status"
      className="space-y-2 border-b border-kumo-line bg-kumo-warning-tint px-3 py-2 text-[13px]"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="min-w-0 flex-1 basis-48">{previewText.failedShown}</p>
        {button}
      </div>
      {failure}
    </div>
  )
}
