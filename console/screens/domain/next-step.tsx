import { LinkButton } from '@cloudflare/kumo/components/button'
import { ArrowClockwiseIcon, ArrowSquareOutIcon } from '@phosphor-icons/react'
import type { DomainStatus } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { attachDomain, checkDomain, domainQuery, storeDomain } from '../../api/project/domain.ts'
import { href } from '../../routes.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { secondsUntilCheck, DOMAIN_STEPS } from './steps.ts'

/**
 * Shows the button for what the person has to do next to get the domain live. While an account is connected,
 * another button checks the domain again.
 */
export function NextStep({ projectId, domain }: { projectId: string; domain: DomainStatus }) {
  const { next } = DOMAIN_STEPS[domain.state]
  if (next === 'connect')
    return (
      <LinkButton variant="primary" href={href.connections()}>
        {cloudText.domain.connections}
      </LinkButton>
    )
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap gap-2">
        {next === 'ship' && (
          <LinkButton variant="primary" href={href.project(projectId)}>
            {cloudText.domain.workspace}
          </LinkButton>
        )}
        {next === 'open' && domain.url !== null && (
          <LinkButton
            variant="primary"
            href={domain.url}
            target="_blank"
            rel="noopener noreferrer"
            icon={<ArrowSquareOutIcon />}
          >
            {cloudText.domain.openApp}
          </LinkButton>
        )}
        {next === 'attach' && <AttachButton projectId={projectId} />}
        <CheckAgain projectId={projectId} isMain={next === 'check'} />
      </div>
    </div>
  )
}

function AttachButton({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const { queryKey } = domainQuery(projectId)
  const attach = useMutation({
    mutationFn: () => attachDomain(projectId),
    onSuccess: (domain) => storeDomain(client, projectId, domain),
    // After a refusal, refetch the status, because it names what prevents the attachment, for example a DNS
    // record.
    onError: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <>
      {attach.isError && (
        <div className="w-full">
          <FailureNote title={cloudText.domain.attachFailed} error={attach.error} takeFocus />
        </div>
      )}
      <Button variant="primary" loading={attach.isPending} onClick={() => attach.mutate()}>
        {cloudText.domain.attach}
      </Button>
    </>
  )
}

function CheckAgain({ projectId, isMain }: { projectId: string; isMain: boolean }) {
  const client = useQueryClient()
  const { queryKey } = domainQuery(projectId)
  const [askedAt, setAskedAt] = useState<number | null>(null)
  const [now, setNow] = useState(() => Date.now())
  const seconds = secondsUntilCheck(askedAt, now)
  useEffect(() => {
    if (seconds === 0) return
    const timer = setTimeout(() => setNow(Date.now()), 1000)
    return () => clearTimeout(timer)
  }, [seconds, now])
  const check = useMutation({
    mutationFn: () => checkDomain(projectId),
    onMutate: async () => {
      setAskedAt(Date.now())
      setNow(Date.now())
      await client.cancelQueries({ queryKey })
      return client.getQueryData(queryKey)
    },
    // A domain that was changed during the check has a newer status.
    onSuccess: (domain, _nothing, before) =>
      client.getQueryData(queryKey) === before && storeDomain(client, projectId, domain),
  })
  return (
    <>
      {check.isError && (
        <div className="w-full">
          <FailureNote error={check.error} />
        </div>
      )}
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        icon={<ArrowClockwiseIcon />}
        loading={check.isPending}
        // Not `disabled`, because the pressed button would lose the focus.
        aria-disabled={seconds > 0}
        className={seconds > 0 ? 'cursor-default opacity-60' : ''}
        onClick={() => seconds === 0 && check.mutate()}
      >
        {seconds > 0 && !check.isPending ? cloudText.domain.checkIn(seconds) : cloudText.domain.check}
      </Button>
    </>
  )
}
