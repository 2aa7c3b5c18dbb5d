import { aiGateway } from './ai-gateway.ts'
import { bucketKind } from './bucket.ts'
import { sfuApp, turnKey } from './calls.ts'
import { customDomain } from './custom-domain.ts'
import type { ResourceKind } from '../../resource-names.ts'
import type { ResourceLifecycle } from './kind.ts'
import { objectNamespace } from './object-namespace.ts'
import { queueKind } from './queue.ts'
import { routingRule } from './routing-rule.ts'
import { sendingDomain } from './sending-domain.ts'
import { webhookEndpoint } from './webhook-endpoint.ts'
import { widgetKind } from './widget.ts'
import { workerKind } from './worker.ts'
import { workflowKind } from './workflow.ts'

/** The kinds in the order of removal: a resource that could still write to another resource is removed before it. */
export const RESOURCE_KINDS: Readonly<Record<ResourceKind, ResourceLifecycle>> = {
  custom_domain: customDomain,
  routing_rule: routingRule,
  webhook_endpoint: webhookEndpoint,
  workflow: workflowKind,
  worker: workerKind,
  object_namespace: objectNamespace,
  bucket: bucketKind,
  queue: queueKind,
  widget: widgetKind,
  sfu_app: sfuApp,
  turn_key: turnKey,
  ai_gateway: aiGateway,
  sending_domain: sendingDomain,
}

export const rankOf = (kind: ResourceKind): number => Object.keys(RESOURCE_KINDS).indexOf(kind)

/** Returns the same string for rows that one call removes together. */
export const resourceIdentity = (row: { kind: ResourceKind; account_id: string; name: string }): string =>
  [RESOURCE_KINDS[row.kind].partOf ?? row.kind, row.account_id, row.name].join(' ')
