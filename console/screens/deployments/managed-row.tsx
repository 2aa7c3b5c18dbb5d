import { TrashIcon } from '@phosphor-icons/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { type ManagedResource, removeResource } from '../../api/project/deployments.ts'
import { shipText } from '../../text/shipping.en.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { StateDot, type StateTone } from '../../ui/page/state-dot.tsx'
import { entryOf } from '../../lib/fields.ts'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const { managed: words } = shipText
const STATUS_TONES: Record<ManagedResource['status'], StateTone> = {
  ok: 'good',
  missing: 'bad',
  drifted: 'ask',
  error: 'bad',
}

export function ManagedRow(props: {
  projectId: string
  resource: ManagedResource
  /** The kind of resource that a removal deletes. It selects the warning in `words.consequences`. */
  loss: string
  onRemoved: (sentence: string) => void
}) {
  const { projectId, resource } = props
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [left, setLeft] = useState(0)
  const remove = useMutation({
    mutationFn: () => removeResource(projectId, resource.id),
    onSuccess: async ({ removed, data, remaining }) => {
      setLeft(remaining)
      if (remaining > 0) return
      // Notify before the refetch of the list, because the refetch unmounts this row.
      const names = [...new Set(removed.map(({ name }) => name))].join(', ')
      // `data` counts only what the last request deleted. Show this count only when one request deleted everything.
      const held = data === null || left > 0 ? '' : ` ${words.held(data)}`
      props.onRemoved(`${words.removed(names)}${held}`)
      await invalidateAll(client, changedBy.deployment)
      setOpen(false)
    },
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-mono text-[13px] break-all text-kumo-strong">{resource.name}</p>
        <p className="text-xs text-kumo-subtle">{entryOf(words.kinds, resource.kind) ?? resource.kind}</p>
      </div>
      <span className="text-[13px]">
        <StateDot tone={STATUS_TONES[resource.status]}>{words.status[resource.status]}</StateDot>
      </span>
      <IconButton
        label={words.remove(resource.name, entryOf(words.kinds, resource.kind) ?? resource.kind)}
        title={words.removeShort}
        icon={<TrashIcon />}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense fallback={null}>
          <Confirm
            title={words.removeTitle(resource.name)}
            consequence={entryOf(words.consequences, props.loss) ?? words.consequence}
            submit={left > 0 ? words.continue : words.removeSubmit}
            details={left > 0 && <RemainingCount count={left} />}
            typed={resource.name}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </li>
  )
}

/** Shown when one request did not delete all content of a resource, so that the person sends another request. */
function RemainingCount(props: { count: number }) {
  return (
    <div role="status">
      <p className="font-medium text-kumo-strong">{words.left(props.count)}</p>
      <p className="text-[13px] text-kumo-subtle">{words.leftHint}</p>
    </div>
  )
}
