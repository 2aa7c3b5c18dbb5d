import type { Binding } from '../cloudflare/products/upload.ts'
import type { ResourceKind } from '../resource-names.ts'
import type { Capability } from '../capability-declaration/capability.ts'

export interface Price {
  what: string
  /** What a paid Workers plan ($5 a month) includes each month, for the whole account. */
  included: string
  more: string
}

/** Copied from the provider's price pages in November 2026. Prices change, and other contracts have other prices. */
const PRICES_BY_BINDING: Partial<Record<ResourceKind | Binding['type'], Price[]>> = {
  // Source: developers.cloudflare.com/durable-objects/platform/pricing
  object_namespace: [
    { what: 'Requests to records, sockets and timers', included: '1 million', more: '$0.15 a million' },
    { what: 'Time they work', included: '400,000 GB-seconds', more: '$12.50 a million' },
    { what: 'Rows read', included: '25 billion', more: '$0.001 a million' },
    { what: 'Rows written', included: '50 million', more: '$1.00 a million' },
    { what: 'Records stored', included: '5 GB', more: '$0.20 a GB' },
  ],
  // Source: developers.cloudflare.com/r2/pricing
  bucket: [
    { what: 'Files stored', included: '10 GB', more: '$0.015 a GB' },
    { what: 'Files written and listed', included: '1 million', more: '$4.50 a million' },
    { what: 'Files read', included: '10 million', more: '$0.36 a million' },
  ],
  // Source: developers.cloudflare.com/images/pricing. A picture is resized once for each width; later requests use the stored copy.
  images: [{ what: 'Pictures made smaller', included: '5,000', more: '$0.50 a thousand' }],
  // Source: developers.cloudflare.com/analytics/analytics-engine/pricing
  analytics_engine: [
    { what: 'Events and page views written', included: '10 million', more: '$0.25 a million' },
    { what: 'Reads of the figures', included: '1 million', more: '$1.00 a million' },
  ],
  // Source: developers.cloudflare.com/realtime/sfu/pricing. Incoming traffic is free.
  sfu_app: [{ what: 'Sound and picture of large calls, sent out', included: '1,000 GB', more: '$0.05 a GB' }],
  // Source: developers.cloudflare.com/realtime/turn. Relayed traffic is part of the same 1,000 GB.
  turn_key: [{ what: 'The same through a relay', included: 'with the above', more: '$0.05 a GB' }],
  // Source: developers.cloudflare.com/workers-ai/platform/pricing
  ai_gateway: [
    {
      what: 'Neurons, the unit in which models are paid',
      included: '10,000 a day',
      more: '$0.011 a thousand',
    },
  ],
  // Source: developers.cloudflare.com/queues/platform/pricing
  queue: [
    { what: 'Jobs written, read or removed, each 64 kB', included: '1 million', more: '$0.40 a million' },
  ],
}

/** Returns each price once, because a capability may name several resources of one kind. */
export function pricesOf(capability: Pick<Capability, 'resources' | 'bindings'>): Price[] {
  const { resources, bindings } = capability
  const app = { slug: 'app' }
  const kinds = new Set([
    ...resources(app).map(({ kind }) => kind),
    ...bindings(app, 'production').map(({ type }) => type),
  ])
  return [...kinds].flatMap((kind) => PRICES_BY_BINDING[kind] ?? [])
}
