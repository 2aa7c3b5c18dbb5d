import { CheckCircleIcon, ProhibitIcon } from '@phosphor-icons/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { approveDevice, denyDevice, grantQuery } from '../../api/account/device.ts'
import { href } from '../../routes.ts'
import { deviceText } from '../../text/device.en.ts'
import { text } from '../../text/en.ts'
import { Mark, Wordmark } from '../../ui/page/brand.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { DeviceCodeForm } from './code-form.tsx'
import { Grant } from './grant.tsx'

export function Device() {
  usePageTitle(deviceText.title)
  const { code } = useSearch({ from: '/device' })
  return (
    <div className="flex min-h-dvh flex-col bg-kumo-base px-6 py-6 sm:px-10">
      <header>
        <a
          href={href.home()}
          className="inline-flex items-center gap-2.5 text-kumo-strong"
          aria-label={text.product}
        >
          <Mark className="size-8" />
          <Wordmark className="text-[19px]" />
        </a>
      </header>
      <main id="content" className="mx-auto my-auto w-full max-w-md min-w-0 py-10">
        {/* The key remounts the component for another code, so that no state of the earlier decision is kept. */}
        {code === undefined ? <AskForCode /> : <GrantDecision key={code} code={code} />}
      </main>
    </div>
  )
}

function AskForCode() {
  const show = useShowCode()
  return (
    <div className="space-y-5">
      <div className="space-y-1.5">
        <PageHeading className="text-[26px]">{deviceText.title}</PageHeading>
        <p className="text-kumo-subtle text-pretty">{deviceText.lead}</p>
      </div>
      <DeviceCodeForm submit={deviceText.next} onCode={show} />
    </div>
  )
}

function GrantDecision({ code }: { code: string }) {
  const lookup = useQuery(grantQuery(code))
  const approve = useMutation({ mutationFn: () => approveDevice(code) })
  const deny = useMutation({ mutationFn: () => denyDevice(code) })
  if (lookup.isPending) return <p role="status">{text.common.loading}</p>
  if (lookup.isError) return <NoGrant error={lookup.error} onRetry={() => void lookup.refetch()} />
  const grant = lookup.data
  if (approve.isSuccess || deny.isSuccess)
    return <DeviceOutcome name={grant.name} isApproved={approve.isSuccess} />
  const error = approve.error ?? deny.error
  return (
    <Grant
      grant={grant}
      failure={error && <FailureNote title={deviceText.failed} error={rewordUnknownCode(error)} takeFocus />}
      pending={approve.isPending ? 'approve' : deny.isPending ? 'deny' : null}
      onApprove={() => {
        deny.reset()
        approve.mutate()
      }}
      onDeny={() => {
        approve.reset()
        deny.mutate()
      }}
    />
  )
}

function NoGrant({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const show = useShowCode()
  const isFinal =
    error instanceof SlipwayError && error.status >= 400 && error.status < 500 && error.status !== 429
  return (
    <div className="space-y-5">
      <PageHeading className="text-[26px]">{deviceText.title}</PageHeading>
      <FailureNote
        title={deviceText.lookupFailed}
        error={rewordUnknownCode(error)}
        takeFocus
        {...(!isFinal && { onRetry })}
      />
      <DeviceCodeForm submit={deviceText.other} onCode={show} />
    </div>
  )
}

function useShowCode(): (code: string) => void {
  const navigate = useNavigate()
  return (code) => void navigate({ to: '/device', search: { code } })
}

/**
 * Replaces the message of a not-found error: on this page it means that the code is unknown or has expired, but the usual message
 * speaks of another organization.
 */
function rewordUnknownCode(error: unknown): unknown {
  if (!(error instanceof SlipwayError) || error.code !== 'not_found') return error
  const { status, requestId, method, path } = error
  return new SlipwayError(deviceText.unknown, { code: 'unknown_code', status, requestId, method, path })
}

function DeviceOutcome({ name, isApproved }: { name: string; isApproved: boolean }) {
  const Icon = isApproved ? CheckCircleIcon : ProhibitIcon
  const to = isApproved ? href.keys() : href.projects()
  return (
    <section className="space-y-4" role="status">
      <Icon
        weight="fill"
        className={`size-10 ${isApproved ? 'text-added' : 'text-kumo-subtle'}`}
        aria-hidden="true"
      />
      <PageHeading className="text-[26px] break-words">
        {isApproved ? deviceText.approved(name) : deviceText.denied(name)}
      </PageHeading>
      <p className="text-kumo-subtle">{isApproved ? deviceText.approvedHint : deviceText.deniedHint}</p>
      <p>
        <a href={to} className="font-medium text-kumo-link underline underline-offset-3">
          {isApproved ? deviceText.toKeys : deviceText.toProjects}
        </a>
      </p>
    </section>
  )
}
