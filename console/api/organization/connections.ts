import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { Connections, TokenUse } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import type { ModelConnectionInput, ModelQuestion } from '../types.ts'

export type ConnectedProvider = 'cloudflare' | 'github'
export type ConnectionProfile = Connections['cloudflare']['signIns'][number]

export const connectionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.connections.all,
    queryFn: ({ signal }) => call(api.getConnections({ signal })),
  })

export const cloudAccountsQuery = () =>
  queryOptions({
    queryKey: queryKeys.connections.accounts,
    queryFn: ({ signal }) => call(api.listCloudflareAccounts({ signal })),
    staleTime: 0,
  })

/** The URL of the provider's sign-in page, which redirects back to `next`. */
export const startConnection = (provider: ConnectedProvider, profile: ConnectionProfile, next: string) =>
  call(api.startConnection({ path: { provider }, query: { profile, next } }))

/**
 * The projects that still run, or still have resources, in the local emulator of Cloudflare although a real account is connected. Polled
 * while one of the projects moves to the real account.
 */
export const movesQuery = () =>
  queryOptions({
    queryKey: queryKeys.connections.moves,
    queryFn: ({ signal }) => call(api.listMoves({ signal })),
    refetchInterval: ({ state }) => (state.data?.some((move) => move.state !== 'waiting') ? 2000 : false),
  })

export const ceilingsQuery = () =>
  queryOptions({
    queryKey: queryKeys.connections.ceilings,
    queryFn: ({ signal }) => call(api.listCeilings({ signal })),
    staleTime: 0,
  })

export interface TokenInput {
  token: string
  accountId?: string
  liveData?: 'copy' | 'leave'
}

export const connectCloudflareToken = (input: TokenInput) => call(api.connectCloudflareToken({ body: input }))

export const chooseCloudflareAccount = (accountId: string) =>
  call(api.chooseCloudflareAccount({ body: { accountId } }))

export const deleteConnection = (provider: ConnectedProvider) =>
  call(api.deleteConnection({ path: { provider } }))

/** The connected models of the organization, without their keys. */
export const modelConnectionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.models.all,
    queryFn: ({ signal }) => call(api.listModelConnections({ signal })),
  })

export const createModelConnection = (input: ModelConnectionInput) =>
  call(api.createModelConnection({ body: input }))

/** Looks up the models that a key or a server address gives access to. Stores nothing. */
export const discoverModels = (question: ModelQuestion) => call(api.lookForModels({ body: question }))

/** The model servers on the service's machine. Fetched at each use, because they start and stop at any time. */
export const localModelsQuery = () =>
  queryOptions({
    queryKey: queryKeys.models.local,
    queryFn: ({ signal }) => call(api.listLocalModels({ signal })),
    staleTime: 0,
  })

/** The number of model tokens used this month, and the limits. Fetched at each use, because every build uses tokens. */
export const tokenUseQuery = () =>
  queryOptions({
    queryKey: queryKeys.models.limits,
    queryFn: ({ signal }) => call(api.getTokenUse({ signal })),
    staleTime: 0,
  })

export const setTokenLimits = (limits: Pick<TokenUse, 'monthly' | 'perTicket'>) =>
  call(api.setTokenLimits({ body: limits }))

export const updateModelConnection = (id: string, input: Partial<Omit<ModelConnectionInput, 'provider'>>) =>
  call(api.updateModelConnection({ path: { id }, body: input }))

export const deleteModelConnection = (id: string) => call(api.deleteModelConnection({ path: { id } }))

/** Sends one small request to the model and returns whether it responded and how fast. */
export const testModelConnection = (id: string) => call(api.testModelConnection({ path: { id } }))
