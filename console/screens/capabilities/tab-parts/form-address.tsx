import { useId } from 'react'
import { href } from '../../../routes.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'

interface FormAddressProps {
  projectId: string
  label: string
  hint: string
  /** The address to show. Null until the app was shipped once. */
  address: string | null
  copy: string
}

/**
 * Shows an address of the app. The person enters it at another service, which then issues the secret for this
 * form.
 */
export function FormAddress({ projectId, label, hint, address, copy }: FormAddressProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="space-y-1.5">
      <p id={id} className="font-medium text-kumo-default">
        {label}
      </p>
      {address === null ? (
        <p>
          {capabilitiesText.addressLater}{' '}
          <a href={href.ship(projectId)} className="rounded-sm text-kumo-link underline underline-offset-3">
            {capabilitiesText.notLive.action}
          </a>
        </p>
      ) : (
        <div className="flex items-center gap-2 rounded-lg bg-kumo-recessed py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 font-mono text-[13px] break-all">{address}</code>
          <CopyButton value={address} label={copy} />
        </div>
      )}
      <p className="text-[13px] text-kumo-subtle">{hint}</p>
    </div>
  )
}
