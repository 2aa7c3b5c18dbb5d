import { Dialog } from '@cloudflare/kumo/components/dialog'
import type { ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { useState } from 'react'
import { settingsText } from '../../../text/settings.en.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { ModelForm, useModelDraft } from './model-form.tsx'
import { ModelDiscovery } from './model-discovery.tsx'

const { form, look } = settingsText.models

export function ModelDialog({
  model,
  onClose,
  onSaved,
}: {
  model: ModelConnection | null
  onClose: () => void
  onSaved?: () => void
}) {
  const draft = useModelDraft(model)
  const [isByHand, setByHand] = useState(model !== null || draft.isRestored)
  const cancel = () => {
    draft.clear()
    onClose()
  }
  const close = () => {
    onClose()
    onSaved?.()
  }
  const otherWay = model === null && (
    <button
      type="button"
      className="w-fit cursor-pointer rounded-sm text-kumo-link underline underline-offset-3"
      onClick={() => setByHand(!isByHand)}
    >
      {isByHand ? look.byPaste : look.byHand}
    </button>
  )
  return (
    <FormDialog size="lg" className="w-full p-6" hasDraft={draft.isRestored} onClose={cancel}>
      <Dialog.Title className="mb-4 text-[18px] font-semibold text-kumo-strong">
        {model ? form.editTitle : form.createTitle}
      </Dialog.Title>
      {isByHand ? (
        <ModelForm model={model} draft={draft} onClose={cancel} onSaved={close}>
          {otherWay}
        </ModelForm>
      ) : (
        <ModelDiscovery onClose={cancel} onSaved={close}>
          {otherWay}
        </ModelDiscovery>
      )}
    </FormDialog>
  )
}
