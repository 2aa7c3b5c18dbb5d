import { LinkButton } from '@cloudflare/kumo/components/button'
import { KeyIcon } from '@phosphor-icons/react'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { capabilityQuery } from '../../../api/project/capabilities.ts'
import { checkKey } from './query.ts'
import { href } from '../../../routes.ts'
import { payText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { Sales } from './sales.tsx'
import { Codes } from './codes.tsx'
import { Products } from './products.tsx'

const payKeyText = payText.key

export function Payments({ projectId }: { projectId: string }) {
  const capability = useQuery(capabilityQuery(projectId, 'pay'))
  if (capability.isPending) return <LiveSkeleton />
  const { data } = capability
  if (!data)
    return (
      <LiveFailure projectId={projectId} error={capability.error} onRetry={() => void capability.refetch()} />
    )
  if (data['hasStripeKey'] !== true && data['hasStripeTestKey'] !== true)
    return (
      <EmptyNote
        icon={<KeyIcon />}
        title={payText.noKey}
        hint={payText.noKeyHint}
        action={
          <LinkButton variant="primary" href={href.capability(projectId, 'pay', {})}>
            {payText.toSettings}
          </LinkButton>
        }
      />
    )
  const currency = data.settings['currency']
  return (
    <div className="space-y-5">
      <StripeKeys projectId={projectId} capability={data} />
      <Products projectId={projectId} currency={typeof currency === 'string' ? currency : 'usd'} />
      <Codes projectId={projectId} currency={typeof currency === 'string' ? currency : 'usd'} />
      <section aria-labelledby="pay-sold" className="space-y-4">
        <h2 id="pay-sold" className="text-[15px] font-semibold text-kumo-strong">
          {payText.sold}
        </h2>
        <Sales projectId={projectId} />
      </section>
    </div>
  )
}

function StripeKeys({ projectId, capability }: { projectId: string; capability: Capability }) {
  const client = useQueryClient()
  const { keyCheck } = capability
  const mode = capability['hasStripeKey'] === true ? 'live' : 'test'
  const check = useMutation({
    mutationFn: () => checkKey(projectId),
    onSettled: () => client.invalidateQueries(capabilityQuery(projectId, 'pay')),
  })
  const isLacking = keyCheck?.ok === false
  return (
    <section
      aria-labelledby="pay-keys"
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <div className="space-y-1">
        <h2 id="pay-keys" className="text-[15px] font-semibold text-kumo-strong">
          <StateDot tone={isLacking ? 'bad' : mode === 'live' ? 'good' : 'ask'}>
            <span className="min-w-0">{payKeyText.title[mode]}</span>
          </StateDot>
        </h2>
        <p className="text-kumo-subtle">{payKeyText.hint[mode]}</p>
        {capability['hasStripeTestKey'] !== true && <p className="text-kumo-subtle">{payKeyText.noTest}</p>}
      </div>
      {check.isError && <FailureNote title={payKeyText.failed} error={check.error} takeFocus />}
      <div role="status" className="space-y-2">
        <p className={isLacking ? 'text-removed' : 'text-kumo-default'}>
          {keyCheck === null ? payKeyText.unchecked : keyCheck.ok ? payKeyText.ok : payKeyText.lacking}
          {keyCheck !== null && (
            <span className="text-[13px] text-kumo-subtle">
              {' '}
              {payKeyText.checked} <RelativeTime at={keyCheck.checkedAt} />
            </span>
          )}
        </p>
        {isLacking && (
          <ul className="divide-y divide-kumo-line rounded-lg ring-1 ring-kumo-line">
            {keyCheck.missing.map(({ mode: of, resource, need, permission }) => (
              <li
                key={`${of} ${permission}`}
                className="flex flex-wrap items-baseline justify-between gap-x-3 px-3 py-1.5"
              >
                <span className="text-kumo-strong">
                  {resource}: {payKeyText.needs[need]}
                </span>
                <code className="text-[13px] break-all text-kumo-subtle">
                  {payKeyText.missing(of, permission)}
                </code>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Button size="sm" loading={check.isPending} onClick={() => check.mutate()}>
        {payKeyText.check}
      </Button>
    </section>
  )
}
