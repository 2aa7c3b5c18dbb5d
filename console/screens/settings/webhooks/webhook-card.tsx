import type { WebhookEndpoint } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { removeFromList } from '../../../api/request/remove-from-list.ts'
import { deleteWebhook } from '../../../api/organization/webhooks.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { Card } from '../card-list.tsx'

const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

export function WebhookCard({ webhook }: { webhook: WebhookEndpoint }) {
  const client = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const remove = useMutation({
    mutationFn: () => deleteWebhook(webhook.id),
    onSuccess: () => removeFromList(client, queryKeys.webhooks, webhook.id),
  })
  const events = webhook.events.includes('*') ? [webhooksText.all] : webhook.events
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="font-medium break-all text-kumo-strong">{webhook.url}</h2>
          <p className="mt-0.5 text-[13px] text-kumo-subtle">
            {webhook.lastDeliveryAt ? (
              <StateDot tone="good">
                <span>
                  {webhooksText.delivered} <RelativeTime at={webhook.lastDeliveryAt} />
                </span>
              </StateDot>
            ) : (
              <StateDot tone="quiet">{webhooksText.neverDelivered}</StateDot>
            )}{' '}
            · {webhooksText.created} <RelativeTime at={webhook.createdAt} />
          </p>
          <ul className="mt-2.5 flex flex-wrap gap-1.5">
            {events.map((event) => (
              <li key={event} className="rounded-full bg-kumo-fill px-2.5 py-0.5 font-mono text-xs">
                {event}
              </li>
            ))}
          </ul>
        </div>
        <Button
          size="sm"
          variant="secondary-destructive"
          aria-label={webhooksText.deleteOf(webhook.url)}
          onClick={() => setDeleting(true)}
        >
          {webhooksText.delete}
        </Button>
      </div>
      {isDeleting && (
        <Suspense fallback={null}>
          <Confirm
            title={webhooksText.deleteTitle}
            consequence={webhooksText.deleteConsequence(webhook.url)}
            submit={webhooksText.deleteSubmit}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}
