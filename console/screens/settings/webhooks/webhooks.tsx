import { PlusIcon, WebhooksLogoIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { webhooksQuery } from '../../../api/organization/webhooks.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { CardList, CardSkeleton } from '../card-list.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { ToolCard } from '../tool-card.tsx'
import { RealEvent } from './real-event.tsx'
import { ReceiverCode } from './receiver-code.tsx'
import { SignatureChecker } from './signature-checker.tsx'
import { WebhookCard } from './webhook-card.tsx'

const WebhookDialog = lazy(() =>
  import('./webhook-dialog.tsx').then((module) => ({ default: module.WebhookDialog })),
)

export function Webhooks() {
  const webhooks = useQuery(webhooksQuery())
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <SettingsHeader
        title={webhooksText.title}
        lead={webhooksText.lead}
        action={
          <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
            {webhooksText.create}
          </Button>
        }
      />
      {webhooks.isPending && <CardSkeleton />}
      <LoadFailure query={webhooks} />
      {webhooks.data?.length === 0 && (
        <EmptyNote icon={<WebhooksLogoIcon />} title={webhooksText.empty} hint={webhooksText.emptyHint} />
      )}
      {webhooks.data && webhooks.data.length > 0 && (
        <>
          <p className="mb-2 text-[13px] text-kumo-subtle">{webhooksText.of(webhooks.data.length)}</p>
          <CardList>
            {webhooks.data.map((webhook) => (
              <WebhookCard key={webhook.id} webhook={webhook} />
            ))}
          </CardList>
        </>
      )}
      {webhooks.data && (
        <section aria-labelledby="receiver" className="mt-8 space-y-3">
          <h2 id="receiver" className="text-[15px] font-semibold text-kumo-strong">
            {webhooksText.tools}
          </h2>
          <ToolCard title={webhooksText.code.title} hint={webhooksText.code.hint}>
            <ReceiverCode />
          </ToolCard>
          <ToolCard title={webhooksText.checker.title} hint={webhooksText.checker.hint}>
            <SignatureChecker />
          </ToolCard>
          <ToolCard title={webhooksText.event.title} hint={webhooksText.event.hint}>
            <RealEvent webhooks={webhooks.data} />
          </ToolCard>
        </section>
      )}
      {isCreating && (
        <Suspense fallback={null}>
          <WebhookDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}
