import { WarningIcon, XIcon } from '@phosphor-icons/react'
import { useEffect, useId, useRef } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'
import { dayOf, dueAtOf } from '../fields/due-date.ts'
import { isOverdue } from '../../../state/tickets/ticket-stats.ts'

export function DueField({ ticket, onChange }: { ticket: Ticket; onChange: (dueAt: string | null) => void }) {
  const id = useId()
  const day = dayOf(ticket.dueAt)
  const isLate = isOverdue(ticket, Date.now())
  const input = useRef<HTMLInputElement>(null)
  const isCleared = useRef(false)
  const shownDay = useRef(day)
  useEffect(() => {
    const field = input.current
    // Keep a date that is being typed, even when the stored date changes meanwhile.
    if (field !== null && !isBeingTyped(field, shownDay.current)) field.value = day
    shownDay.current = day
    // The button that clears the date disappears together with the date, so the focus moves to the field.
    if (isCleared.current) input.current?.focus()
    isCleared.current = false
  }, [day])
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block font-medium text-kumo-default">
        {ticketsText.details.due}
      </label>
      <div className="flex items-center gap-1">
        <input
          ref={input}
          id={id}
          type="date"
          // Save only when the field loses the focus: a half-typed date has an empty value, which would remove the due date.
          defaultValue={day}
          max="9999-12-31"
          aria-describedby={isLate ? `${id}-late` : undefined}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
          }}
          onBlur={(event) => {
            const { value, validity } = event.target
            if (value === day || !validity.valid) return
            const dueAt = dueAtOf(value)
            const next = dayOf(dueAt)
            // Shows which year was read when it was typed with two digits.
            event.target.value = next
            if (next !== day) onChange(dueAt)
          }}
          className={`${FIELD_STYLE} h-9 ${isLate ? 'ring-kumo-danger' : 'ring-kumo-line'}`}
        />
        {ticket.dueAt !== null && (
          <IconButton
            label={ticketsText.details.clearDue}
            icon={<XIcon />}
            onClick={() => {
              isCleared.current = true
              onChange(null)
            }}
          />
        )}
      </div>
      {isLate && (
        <p id={`${id}-late`} className="flex items-center gap-1 text-xs font-medium text-removed">
          <WarningIcon aria-hidden="true" />
          {ticketsText.details.isOverdue}
        </p>
      )}
    </div>
  )
}

/** Whether the field has the focus and no longer shows `day`. A half-typed date has an empty value and is invalid. */
const isBeingTyped = (field: HTMLInputElement, day: string) =>
  field === document.activeElement && (field.value !== day || field.validity.badInput)
