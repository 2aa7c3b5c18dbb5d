import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { secondsNow, StripeFailure } from '../context.ts'
import { listObjects, deleteObject, insertObject, newStripeId, loadObject, saveObject } from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type Operation, operation } from '../protocol/operation.ts'
import {
  valueOrPrevious,
  CreatedRange,
  Flag,
  isWithin,
  mergeMetadata,
  MetadataIn,
  NewMetadata,
  ClearableText,
  Text,
  Url,
} from '../protocol/params.ts'

const RESOURCE_TYPE = 'webhook' as const
const ENDPOINTS_MAX = 16

const Written = {
  description: ClearableText.optional(),
  enabled_events: z.array(Text).min(1),
  metadata: MetadataIn.optional(),
  url: Url,
}

/** Only the response to its creation contains an endpoint's secret. */
export const endpointOperations: Operation[] = [
  operation({
    route: 'POST /webhook_endpoints',
    resource: RESOURCE_TYPE,
    params: {
      ...Written,
      metadata: NewMetadata.optional(),
      api_version: Text.optional(),
      connect: Flag.optional(),
    },
    act: ({ stripe, account, params }) => {
      if (listObjects(stripe, account, 'webhook_endpoint').length >= ENDPOINTS_MAX)
        throw new StripeFailure(
          400,
          `You have reached the maximum of ${ENDPOINTS_MAX} ${account.isLive ? 'live' : 'test'} webhook endpoints.`,
        )
      const secret = `whsec_${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x')}`
      const endpoint = insertObject<'webhook_endpoint'>(
        stripe,
        account,
        {
          id: newStripeId('we'),
          object: 'webhook_endpoint',
          api_version: params.api_version ?? null,
          application: null,
          created: secondsNow(stripe),
          description: params.description ?? null,
          enabled_events: params.enabled_events,
          livemode: account.isLive,
          metadata: params.metadata ?? {},
          status: 'enabled',
          url: params.url,
        },
        { secret },
      )
      return { ...endpoint, secret }
    },
  }),
  operation({
    route: 'GET /webhook_endpoints',
    resource: RESOURCE_TYPE,
    params: Paging,
    act: (call) => listPage(call, 'webhook_endpoint', '/v1/webhook_endpoints'),
  }),
  operation({
    route: 'GET /webhook_endpoints/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'webhook_endpoint', id),
  }),
  operation({
    route: 'POST /webhook_endpoints/:id',
    resource: RESOURCE_TYPE,
    params: {
      ...Written,
      disabled: Flag.optional(),
      enabled_events: Written.enabled_events.optional(),
      url: Url.optional(),
    },
    act: ({ stripe, account, id, params }) => {
      const endpoint = loadObject(stripe, account, 'webhook_endpoint', id)
      const { disabled = endpoint.status === 'disabled' } = params
      return saveObject<'webhook_endpoint'>(stripe, account, {
        ...endpoint,
        description: valueOrPrevious(params.description, endpoint.description),
        enabled_events: params.enabled_events ?? endpoint.enabled_events,
        metadata: mergeMetadata(endpoint.metadata, params.metadata),
        status: disabled ? 'disabled' : 'enabled',
        url: params.url ?? endpoint.url,
      })
    },
  }),
  operation({
    route: 'DELETE /webhook_endpoints/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => {
      loadObject(stripe, account, 'webhook_endpoint', id)
      deleteObject(stripe, account, 'webhook_endpoint', id)
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  }),
]

/** Returns whether the type of an event matches a pattern such as `customer.*`, in which `*` stands for any string. */
function isOfType(type: string, wanted: string): boolean {
  const pattern = wanted.split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${pattern}$`).test(type)
}

export const eventOperations: Operation[] = [
  operation({
    route: 'GET /events',
    resource: 'event',
    params: { ...Paging, created: CreatedRange, type: Text.optional(), types: z.array(Text).optional() },
    act: (call) => {
      const { created, type, types } = call.params
      return listPage(
        call,
        'event',
        '/v1/events',
        (event) =>
          (type === undefined || isOfType(event.type, type)) &&
          (types === undefined || types.includes(event.type)) &&
          isWithin(event.created, created),
      )
    },
  }),
  operation({
    route: 'GET /events/:id',
    resource: 'event',
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'event', id),
  }),
]
