import { Dialog } from '@cloudflare/kumo/components/dialog'
import { DownloadSimpleIcon } from '@phosphor-icons/react'
import type { ListFileObjectsResponses } from '@slipway/sdk/client/types.gen.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readFileObject } from './query.ts'
import { filesText } from './text.en.ts'
import { text } from '../../../text/en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { formatSize } from '../../../lib/format.ts'
import { saveFile } from '../../../ui/browser/save-file.ts'

export type FileObject = ListFileObjectsResponses[200]['data']['items'][number]

/** The preview loads no image larger than this, in bytes. */
const PREVIEW_BYTES_MAX = 20_000_000
/** Image types that cannot contain scripts. SVG can. */
const PICTURE_TYPE = /^image\/(png|jpeg|gif|webp|avif)$/

export function FileDialog(props: { projectId: string; file: FileObject; onClose: () => void }) {
  const { projectId, file, onClose } = props
  const download = useMutation({
    mutationFn: () => readFileObject(projectId, file.key),
    onSuccess: (bytes) => saveFile(file.name, bytes),
  })
  const isPicture = PICTURE_TYPE.test(file.contentType) && file.size <= PREVIEW_BYTES_MAX
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="lg" className="flex max-h-[92dvh] w-full flex-col gap-4 overflow-y-auto p-6">
        <Dialog.Title className="text-[18px] font-semibold break-all text-kumo-strong">
          {file.name}
        </Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">
          {formatSize(file.size)}, {file.contentType}
        </Dialog.Description>
        {isPicture ? <FilePicture projectId={projectId} file={file} /> : <p>{filesText.noPreview}</p>}
        <dl className="space-y-1 text-[13px]">
          <FileFact name={filesText.key} value={file.key} />
          {file.ownerId !== null && <FileFact name={filesText.owner} value={file.ownerId} />}
          <FileFact name={filesText.stored} value={new Date(file.uploadedAt).toLocaleString('en')} />
        </dl>
        {download.isError && (
          <FailureNote title={filesText.failed} error={download.error} onRetry={() => download.mutate()} />
        )}
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            {text.common.close}
          </Button>
          <Button
            variant="primary"
            icon={<DownloadSimpleIcon />}
            loading={download.isPending}
            onClick={() => !download.isPending && download.mutate()}
          >
            {download.isPending ? filesText.preparing : filesText.downloadFile}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}

/** Shows an image from bytes in memory, because the headers of the response forbid embedding it. */
function FilePicture({ projectId, file }: { projectId: string; file: FileObject }) {
  const [state, setState] = useState<{ url: string } | { error: unknown } | null>(null)
  useEffect(() => {
    let url: string | null = null
    let isGone = false
    readFileObject(projectId, file.key).then(
      (bytes) => {
        if (isGone) return
        url = URL.createObjectURL(bytes)
        setState({ url })
      },
      (error: unknown) => !isGone && setState({ error }),
    )
    return () => {
      isGone = true
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [projectId, file.key])
  if (state === null)
    return (
      <p role="status" className="text-kumo-subtle">
        {filesText.preparing}
      </p>
    )
  if ('error' in state) return <FailureNote title={filesText.failed} error={state.error} />
  return (
    <img
      src={state.url}
      alt={file.name}
      className="max-h-[50dvh] w-full rounded-lg bg-kumo-recessed object-contain"
    />
  )
}

function FileFact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex gap-2">
      <dt className="w-16 shrink-0 text-kumo-subtle">{name}</dt>
      <dd className="min-w-0 break-all">{value}</dd>
    </div>
  )
}
