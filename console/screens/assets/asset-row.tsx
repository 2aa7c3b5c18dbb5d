import { FileIcon, FilmStripIcon, ImageIcon, TrashIcon } from '@phosphor-icons/react'
import type { Asset } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { deleteAsset } from '../../api/uploads/assets.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { formatSize } from '../../lib/format.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const AccessDialog = lazy(() =>
  import('./access-dialog.tsx').then((module) => ({ default: module.AccessDialog })),
)

export function AssetRow({ projectId, asset }: { projectId: string; asset: Asset }) {
  const [open, setOpen] = useState<'access' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const who = cloudText.assets.accessKinds[asset.access.kind]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-3">
      <TypeIcon type={asset.contentType} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium text-kumo-strong" title={asset.path}>
          {asset.url === null ? (
            asset.path
          ) : (
            <a
              href={asset.url}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={cloudText.assets.open(asset.path)}
              className="rounded-sm hover:underline"
            >
              {asset.path}
            </a>
          )}
        </p>
        <p className="truncate text-[13px] text-kumo-subtle">
          {formatSize(asset.size)} · {asset.contentType} · <RelativeTime at={asset.createdAt} />
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1 max-sm:w-full max-sm:pl-12">
        <Button
          size="sm"
          variant="secondary"
          aria-label={cloudText.assets.access(asset.path, who)}
          onClick={() => setOpen('access')}
        >
          {who}
        </Button>
        {asset.url !== null && <CopyButton value={asset.url} label={cloudText.assets.copy(asset.path)} />}
        <IconButton
          label={cloudText.assets.delete(asset.path)}
          icon={<TrashIcon />}
          onClick={() => setOpen('delete')}
        />
      </div>
      <Suspense fallback={null}>
        {open === 'access' && <AccessDialog projectId={projectId} asset={asset} onClose={close} />}
        {open === 'delete' && <DeleteAsset projectId={projectId} path={asset.path} onClose={close} />}
      </Suspense>
    </div>
  )
}

function DeleteAsset(props: { projectId: string; path: string; onClose: () => void }) {
  const { projectId, path, onClose } = props
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => deleteAsset(projectId, path),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.assets(projectId) }),
  })
  return (
    <Confirm
      title={cloudText.assets.deleteTitle(path)}
      consequence={cloudText.assets.deleteConsequence}
      submit={cloudText.assets.deleteSubmit}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function TypeIcon({ type }: { type: string }) {
  const Icon = type.startsWith('image/') ? ImageIcon : type.startsWith('video/') ? FilmStripIcon : FileIcon
  return (
    <span
      className="grid size-9 shrink-0 place-items-center rounded-lg bg-kumo-fill text-kumo-subtle"
      aria-hidden="true"
    >
      <Icon className="size-[18px]" />
    </span>
  )
}
