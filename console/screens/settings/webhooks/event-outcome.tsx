import type { WebhookEndpoint } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { webhooksQuery } from '../../../api/organization/webhooks.ts'
import { href } from '../../../routes.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { subscribesToNewTickets } from './events.ts'

const OUTCOME_REFETCH_MS = 1_500
const WAIT_MS = 30_000
const webhookEventText = webhooksText.event

/** Shows whether a webhook accepted the event of a test ticket. Polls for half a minute. */
export function EventOutcome(props: { projectId: string; ticketId: string; createdAt: string }) {
  const [isOver, setOver] = useState(false)
  // Count only webhooks that get the event of a new ticket. What another webhook has taken since was another event.
  const hasTaken = (webhook: WebhookEndpoint) =>
    subscribesToNewTickets(webhook) &&
    webhook.lastDeliveryAt !== null &&
    new Date(webhook.lastDeliveryAt) >= new Date(props.createdAt)
  const webhooks = useQuery({
    ...webhooksQuery(),
    refetchInterval: ({ state }) => (isOver || state.data?.some(hasTaken) ? false : OUTCOME_REFETCH_MS),
  })
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  const taker = webhooks.data?.find(hasTaken)
  return (
    <div className="space-y-1">
      <p role="status">
        {taker ? (
          <StateDot tone="good">{webhookEventText.delivered(taker.url)}</StateDot>
        ) : (
          <StateDot tone={isOver ? 'ask' : 'busy'}>
            {isOver ? webhookEventText.notYet : webhookEventText.waiting}
          </StateDot>
        )}
      </p>
      <a
        href={href.project(props.projectId, { ticket: props.ticketId, tab: 'ticket', pane: 'work' })}
        className="inline-block text-kumo-link underline"
      >
        {webhookEventText.openTicket}
      </a>
    </div>
  )
}
