import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useState } from 'react'
import type { CapabilityChange } from '../../../api/project/capabilities.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { useSetCapability } from '../use-set-capability.ts'

interface AddressRowProps {
  projectId: string
  capabilityKey: string
  name: string
  note: string
  /**
   * The address at which other systems reach the listed item, such as a webhook endpoint. Null until the app was
   * shipped once, undefined for an item that has no address.
   */
  address?: string | null
  words: Record<'noAddress' | 'remove', string> &
    Record<'copy' | 'removeNamed' | 'removeAsk', (name: string) => string>
  removeConsequence: string
  /** Returns the change that removes the item from the settings of the stored capability. */
  removal: (stored: Capability) => CapabilityChange
}

export function AddressRow({
  projectId,
  capabilityKey,
  name,
  note,
  address,
  words,
  ...props
}: AddressRowProps) {
  const save = useSetCapability(projectId, capabilityKey)
  const [isAsked, setAsked] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words text-kumo-strong">{name}</p>
        <p className="text-[13px] text-kumo-subtle">{note}</p>
        {address !== undefined && (
          <p className="font-mono text-[13px] break-all text-kumo-default">{address ?? words.noAddress}</p>
        )}
      </div>
      {address && <CopyButton value={address} label={words.copy(name)} />}
      <Button
        type="button"
        variant="ghost"
        size="sm"
        aria-label={words.removeNamed(name)}
        onClick={() => setAsked(true)}
      >
        {words.remove}
      </Button>
      {isAsked && (
        <Confirm
          title={words.removeAsk(name)}
          consequence={props.removeConsequence}
          submit={words.remove}
          busy={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate(props.removal, { onSuccess: () => setAsked(false) })}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}
