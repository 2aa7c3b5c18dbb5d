import { useId, useRef } from 'react'
import { securityText } from '../../../text/security.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'
import { readAddresses, withAddress } from './policy.ts'

const addressesText = securityText.addresses

/**
 * The IP addresses from which people and API keys may use the organization. A button adds the user's own address,
 * because the service refuses a list without it.
 */
export function AddressField(props: {
  value: string
  own: string
  disabled: boolean
  problem: string | undefined
  onChange: (value: string) => void
}) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isListed = readAddresses(props.value).includes(props.own)
  return (
    <div className="space-y-1.5 p-4">
      <label htmlFor={id} className="block text-[13px] font-medium">
        {addressesText.label}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        value={props.value}
        disabled={props.disabled}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        aria-invalid={props.problem !== undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => props.onChange(event.target.value)}
        className={`${FIELD_STYLE} block max-h-72 [field-sizing:content] min-h-20 resize-y py-2 font-mono text-xs leading-relaxed disabled:opacity-60 ${props.problem ? 'ring-kumo-danger' : 'ring-kumo-line'}`}
      />
      <div id={`${id}-note`} className="text-[13px]">
        {props.problem && (
          <p role="alert" className="mb-1 break-words text-removed">
            {props.problem}
          </p>
        )}
        <p className="text-kumo-subtle">
          {addressesText.hint} {addressesText.anywhere}
        </p>
      </div>
      <p className="flex min-h-8 flex-wrap items-center gap-2 text-[13px]">
        <span>
          {addressesText.yours(props.own)} {isListed && addressesText.added}
        </span>
        {!isListed && !props.disabled && (
          <Button
            type="button"
            size="sm"
            onClick={() => {
              props.onChange(withAddress(props.value, props.own))
              // The pressed button disappears once the address is in the field.
              field.current?.focus()
            }}
          >
            {addressesText.add}
          </Button>
        )}
      </p>
    </div>
  )
}
