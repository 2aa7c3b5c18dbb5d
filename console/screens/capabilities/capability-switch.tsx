import { Dialog } from '@cloudflare/kumo/components/dialog'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilitiesQuery } from '../../api/project/capabilities.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { text } from '../../text/en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { dependentTitles, requiredTitles, metadataOf } from './capability-metadata.ts'
import { useSetCapability } from './use-set-capability.ts'

export function CapabilitySwitch({ projectId, capability }: { projectId: string; capability: Capability }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant={capability.enabled ? 'secondary' : 'primary'} onClick={() => setOpen(true)}>
        {capability.enabled ? capabilitiesText.turnOff : capabilitiesText.turnOn}
      </Button>
      {isOpen && (
        <SwitchDialog projectId={projectId} capability={capability} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function SwitchDialog(props: { projectId: string; capability: Capability; onClose: () => void }) {
  const { projectId, onClose } = props
  // Copy the capability, so that the text of the open dialog does not change when the response changes the
  // props.
  const [{ key, title, enabled }] = useState(props.capability)
  const list = useQuery(capabilitiesQuery(projectId)).data ?? []
  const on = new Set(list.filter((one) => one.enabled).map((one) => one.key))
  const more = enabled ? dependentTitles(key, on) : requiredTitles(key, on)
  const change = useSetCapability(projectId, key)
  const submit = () => {
    if (!change.isPending) change.mutate({ enabled: !enabled }, { onSuccess: onClose })
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="base" className="flex w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
          {enabled ? capabilitiesText.turnOffTitle(title) : capabilitiesText.turnOnTitle(title)}
        </Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">
          {enabled
            ? capabilitiesText.offConsequence
            : capabilitiesText.onConsequence(metadataOf(key)?.cost ?? '')}
        </Dialog.Description>
        {more.length > 0 && (
          <p className="font-medium">
            {enabled ? capabilitiesText.alsoOff(more.join(', ')) : capabilitiesText.alsoOn(more.join(', '))}
          </p>
        )}
        {change.isError && <FailureNote title={capabilitiesText.failed} error={change.error} takeFocus />}
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            {text.common.cancel}
          </Button>
          <Button variant={enabled ? 'destructive' : 'primary'} loading={change.isPending} onClick={submit}>
            {enabled ? capabilitiesText.turnOff : capabilitiesText.turnOn}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
