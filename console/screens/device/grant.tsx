import { ShieldWarningIcon } from '@phosphor-icons/react'
import type { GetDeviceGrantResponse } from '@slipway/sdk/client/types.gen.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../../api/account/session.ts'
import { deviceText } from '../../text/device.en.ts'
import { settingsText } from '../../text/settings.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageHeading } from '../../ui/page/page.tsx'

export type DeviceGrant = GetDeviceGrantResponse['data']

/**
 * Shows what a device requests. Approve and refuse have the same weight, so that the layout favours neither.
 */
export function Grant(props: {
  grant: DeviceGrant
  failure: ReactNode
  pending: 'approve' | 'deny' | null
  onApprove: () => void
  onDeny: () => void
}) {
  const { grant, pending } = props
  const { data: me } = useSuspenseQuery(meQuery())
  const ships = grant.scopes.includes('deploy:write')
  return (
    <section className="space-y-5">
      <PageHeading className="text-[26px]">{deviceText.asks}</PageHeading>
      <p className="rounded-xl bg-kumo-recessed py-4 text-center font-mono text-[30px] font-semibold tracking-[0.12em] text-kumo-strong">
        {grant.code}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
        <GrantFact name={deviceText.name}>
          <bdi>{grant.name}</bdi>
        </GrantFact>
        <GrantFact name={deviceText.from}>
          <span className="font-mono">{grant.address}</span>
        </GrantFact>
        <GrantFact name={deviceText.organization}>{me.organization.name}</GrantFact>
      </dl>
      <div>
        <h2 className="text-kumo-subtle">{deviceText.may}</h2>
        <ul className="mt-1.5 list-disc space-y-1 pl-5">
          {grant.scopes.map((scope) => (
            <li key={scope}>{settingsText.keys.scopeSentences[scope] ?? scope}</li>
          ))}
        </ul>
        {ships && <p className="mt-2 font-medium text-kumo-warning">{deviceText.ships}</p>}
      </div>
      <div className="flex gap-3 rounded-lg bg-kumo-recessed px-3.5 py-3 ring-1 ring-kumo-line">
        <ShieldWarningIcon
          weight="fill"
          className="mt-0.5 size-[18px] shrink-0 text-kumo-warning"
          aria-hidden="true"
        />
        <div className="min-w-0 space-y-1">
          <p className="font-medium text-kumo-strong">{deviceText.warning}</p>
          <p>{deviceText.warningHint}</p>
        </div>
      </div>
      {props.failure}
      <div className="grid grid-cols-2 gap-3">
        <DecisionButton
          verb={deviceText.deny}
          isPending={pending === 'deny'}
          isOff={pending !== null}
          onClick={props.onDeny}
        />
        <DecisionButton
          verb={deviceText.approve}
          isPrimary
          isPending={pending === 'approve'}
          isOff={pending !== null}
          onClick={props.onApprove}
        />
      </div>
      <p className="text-[13px] text-kumo-subtle">{deviceText.lasts}</p>
    </section>
  )
}

function GrantFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-kumo-subtle">{name}</dt>
      <dd className="min-w-0 font-medium break-words text-kumo-strong">{children}</dd>
    </>
  )
}

function DecisionButton(props: {
  verb: string
  isPrimary?: boolean
  isPending: boolean
  isOff: boolean
  onClick: () => void
}) {
  return (
    <Button
      variant={props.isPrimary ? 'primary' : 'secondary'}
      size="lg"
      className="w-full justify-center"
      loading={props.isPending}
      disabled={props.isOff && !props.isPending}
      onClick={props.onClick}
    >
      {props.verb}
    </Button>
  )
}
