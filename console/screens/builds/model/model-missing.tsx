import { PlugsIcon } from '@phosphor-icons/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { modelText } from '../../../text/builds.en.ts'
import { ConnectModel } from '../../settings/models/connect-model.tsx'

export const isModelRequired = (error: unknown): error is SlipwayError =>
  error instanceof SlipwayError && error.code === 'model_required'

/** The errors for which the dialog was opened automatically, so that it does not open again when this component is mounted again. */
const errorsWithOpenedDialog = new WeakSet<object>()

/** Asks the person to connect the model that a build needs, and then calls `onConnected`. */
export function ModelMissing({ error, onConnected }: { error: object; onConnected: () => void }) {
  const opensItself = !errorsWithOpenedDialog.has(error)
  errorsWithOpenedDialog.add(error)
  return (
    <section role="alert" className="space-y-3 rounded-xl bg-kumo-base p-4 shadow-sm ring-1 ring-kumo-line">
      <h3 className="flex items-start gap-2.5 text-[15px] font-semibold text-kumo-strong">
        <PlugsIcon className="mt-px size-5 shrink-0 text-tide" aria-hidden="true" />
        {modelText.required}
      </h3>
      <p className="text-kumo-subtle">{modelText.requiredHint}</p>
      <ConnectModel onConnected={onConnected} opensItself={opensItself} />
    </section>
  )
}
