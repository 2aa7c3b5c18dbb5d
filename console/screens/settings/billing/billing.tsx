import {
  CheckCircleIcon,
  HourglassIcon,
  InfoIcon,
  WarningCircleIcon,
  WrenchIcon,
} from '@phosphor-icons/react'
import type { Billing as BillingState } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { meQuery } from '../../../api/account/session.ts'
import { billingQuery, openPortal, startCheckout } from '../../../api/organization/billing.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { billingText as words } from '../../../text/billing.en.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote, LoadFailure } from '../../../ui/page/failure.tsx'
import { formatDay } from '../../../lib/format.ts'
import { CardSkeleton } from '../card-list.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import type { CheckoutReturn } from './checkout-return.ts'
import { Usage } from './usage.tsx'

export function Billing() {
  const { checkout } = useSearch({ from: '/app/settings/billing' })
  return (
    <>
      <SettingsHeader title={words.title} lead={words.lead} />
      <PlanAndUsage returned={checkout} go={(url) => location.assign(url)} />
    </>
  )
}

/** `go` leaves the console for a page of the payment provider. Tests replace it. */
export function PlanAndUsage(props: { returned: CheckoutReturn | undefined; go: (url: string) => void }) {
  const awaited = props.returned === 'cancelled' ? undefined : props.returned
  const billing = useQuery(billingQuery(awaited))
  const me = useQuery(meQuery()).data
  const client = useQueryClient()
  const { data } = billing
  const plan = data?.plan
  useEffect(() => {
    // Other pages read the plan from `me`, so refetch `me` when the plan has changed.
    if (me !== undefined && plan !== undefined && me.plan !== plan)
      void client.invalidateQueries({ queryKey: queryKeys.me })
  }, [client, me, plan])
  return (
    <>
      {billing.isPending && <CardSkeleton />}
      <LoadFailure query={billing} />
      {data && me && (
        <div className="space-y-8">
          {props.returned && <ReturnNote returned={props.returned} paid={data.subscription?.plan} />}
          {data.managed && (
            <Subscription
              state={data}
              reason={me.role === 'member' ? words.adminsOnly : null}
              go={props.go}
            />
          )}
          <Usage state={data} />
          {!data.managed && (
            <EmptyNote icon={<WrenchIcon />} title={words.unmanaged} hint={words.unmanagedHint(data.plan)} />
          )}
        </div>
      )}
    </>
  )
}

interface PayingProps {
  state: BillingState
  /** Why this user may not change anything; null when they may. */
  reason: string | null
  go: (url: string) => void
}

function Subscription({ state, reason, go }: PayingProps) {
  const { plan, subscription } = state
  const leave = useMutation({
    mutationFn: (to: 'portal' | 'starter' | 'pro') => (to === 'portal' ? openPortal() : startCheckout(to)),
    onSuccess: ({ url }) => go(url),
  })
  const busy = leave.isPending ? leave.variables : null
  const portal = (label: string) => (
    <ReasonButton loading={busy === 'portal'} reason={reason} onClick={() => leave.mutate('portal')}>
      {label}
    </ReasonButton>
  )
  const overdue = subscription?.overdue ?? null
  return (
    <>
      {leave.isError && <FailureNote title={words.failed} error={leave.error} takeFocus />}
      {subscription !== null && overdue !== null && (
        <OverdueNote>
          <p>
            {plan === subscription.plan
              ? words.overdue.sentence(subscription.plan, formatDay(overdue.keptUntil))
              : words.overdue.lapsed(subscription.plan)}
          </p>
          {portal(words.overdue.pay)}
        </OverdueNote>
      )}
      <section
        aria-labelledby="plan"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line"
      >
        <div className="min-w-0 space-y-1">
          <h2 id="plan" className="text-[15px] font-semibold text-kumo-strong">
            {words.current(plan)}
          </h2>
          <p className="text-kumo-subtle">{planSentence(state)}</p>
        </div>
        {subscription !== null && overdue === null && portal(words.portal)}
      </section>
      {plan !== 'enterprise' && (
        <section aria-labelledby="offers" className="space-y-3">
          <h2 id="offers" className="text-[15px] font-semibold text-kumo-strong">
            {words.offers.title}
          </h2>
          <ul className="divide-y divide-kumo-hairline rounded-xl bg-kumo-base ring-1 ring-kumo-line">
            {state.plans.map((offer) => (
              <li
                key={offer.plan}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3"
              >
                <div className="min-w-0 flex-1 basis-64">
                  <h3 className="font-medium text-kumo-strong">{words.plans[offer.plan]}</h3>
                  <p className="text-[13px] text-kumo-subtle">{words.offers.allows(offer)}</p>
                </div>
                {subscription?.plan === offer.plan ? (
                  <p className="text-[13px] font-medium text-kumo-subtle">{words.offers.current}</p>
                ) : (
                  <ReasonButton
                    variant="primary"
                    loading={busy === offer.plan}
                    reason={reason ?? (overdue === null ? null : words.payFirst)}
                    onClick={() => leave.mutate(offer.plan)}
                  >
                    {words.offers.choose(offer.plan)}
                  </ReasonButton>
                )}
              </li>
            ))}
          </ul>
          <p className="text-[13px] text-kumo-subtle">{reason ?? words.offers.price}</p>
        </section>
      )}
    </>
  )
}

function planSentence({ plan, renewsAt, subscription }: BillingState): string {
  if (plan === 'enterprise')
    return subscription === null
      ? words.enterprise
      : `${words.enterprise} ${words.paidBeside(subscription.plan)}`
  if (subscription?.endsAt) return words.ends(formatDay(subscription.endsAt))
  if (subscription?.plan === plan && subscription.overdue !== null)
    return words.kept(formatDay(subscription.overdue.keptUntil))
  return subscription?.plan === plan && renewsAt !== null ? words.renews(formatDay(renewsAt)) : words.free
}

const OverdueNote = ({ children }: { children: ReactNode }) => (
  <div
    role="alert"
    className="flex gap-3 rounded-lg bg-kumo-danger-tint px-3.5 py-3 text-kumo-default ring-1 ring-kumo-danger/25"
  >
    <WarningCircleIcon
      weight="fill"
      className="mt-0.5 size-[18px] shrink-0 text-removed"
      aria-hidden="true"
    />
    <div className="min-w-0 flex-1 space-y-2">
      <p className="font-medium text-kumo-strong">{words.overdue.title}</p>
      {children}
    </div>
  </div>
)

/** Shows the result of a checkout. The URL proves no payment, so the note waits until the service confirms the plan. */
function ReturnNote({ returned, paid }: { returned: CheckoutReturn; paid: string | undefined }) {
  const { icon: Icon, title, hint } = checkoutNote(returned, paid)
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

function checkoutNote(returned: CheckoutReturn, paid: string | undefined) {
  if (returned === 'cancelled')
    return { icon: InfoIcon, title: words.returned.cancelled, hint: words.returned.cancelledHint }
  if (returned === paid) return { icon: CheckCircleIcon, title: words.returned.done(returned), hint: null }
  return { icon: HourglassIcon, title: words.returned.waiting, hint: words.returned.waitingHint }
}
