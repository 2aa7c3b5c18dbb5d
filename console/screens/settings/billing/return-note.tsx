import { CheckCircleIcon, HourglassIcon, InfoIcon } from '@phosphor-icons/react'
import { billingText } from '../../../text/billing.en.ts'
import type { CheckoutReturn } from './checkout-return.ts'

const words = billingText.returned

/** Shows the result of a checkout. The URL proves no payment, so the note waits until the service confirms the plan. */
export function ReturnNote({ returned, paid }: { returned: CheckoutReturn; paid: string | undefined }) {
  const { icon: Icon, title, hint } = noteOf(returned, paid)
  return (
    <div role="status" className="flex gap-3 rounded-lg bg-kumo-base px-3.5 py-3 ring-1 ring-kumo-line">
      <Icon className="mt-0.5 size-[18px] shrink-0 text-tide" aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-medium text-kumo-strong">{title}</p>
        {hint !== null && <p className="text-kumo-subtle">{hint}</p>}
      </div>
    </div>
  )
}

function noteOf(returned: CheckoutReturn, paid: string | undefined) {
  if (returned === 'cancelled') return { icon: InfoIcon, title: words.cancelled, hint: words.cancelledHint }
  if (returned === paid) return { icon: CheckCircleIcon, title: words.done(returned), hint: null }
  return { icon: HourglassIcon, title: words.waiting, hint: words.waitingHint }
}
