import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { Connections, TokenUse } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import type { ModelConnectionInput, ModelQuestion } from '../types.ts'

/** A provider that an organization connects once. Models are connected separately, because there can be several. */
export type ConnectedProvider = 'cloudflare' | 'github'
/** Which sign-in of a provider to use: the local emulator's or the provider's own. */
export type ConnectionProfile = Connections['cloudflare']['signIns'][number]

/** The cloud account and the code host of the organization, with their state and the missing permissions. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.connections.all,
    queryFn: ({ signal }) => call(api.getConnections({ signal })),
  })

/**
 * The Cloudflare accounts that the connection can use. Read from Cloudflare on every visit, because access changes outside of the console.
 */
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

/**
 * How many workers, object classes and queues the service has created in the account, with the limits of Cloudflare's plans. Empty without
 * an account.
 */
export const ceilingsQuery = () =>
  queryOptions({
    queryKey: queryKeys.connections.ceilings,
    queryFn: ({ signal }) => call(api.listCeilings({ signal })),
    staleTime: 0,
  })

/**
 * A pasted API token. `accountId` is needed only when the token has access to several accounts or cannot list its account. `liveData` says
 * whether projects of the local cloud take their data along when they move.
 */
export interface TokenInput {
  token: string
  accountId?: string
  liveData?: 'copy' | 'leave'
}

export const connectCloudflareToken = (input: TokenInput) => call(api.connectCloudflareToken({ body: input }))

/** Chooses the account into which projects are shipped. Throws `conflict` while projects are deployed in another account. */
export const chooseCloudflareAccount = (accountId: string) =>
  call(api.chooseCloudflareAccount({ body: { accountId } }))

/** Disconnects the account. Deployed apps keep running. `revoked` in the response is false when the provider still accepts the token. */
export const deleteConnection = (provider: ConnectedProvider) =>
  call(api.deleteConnection({ path: { provider } }))

/** The connected models of the organization, without their keys. */
export const modelConnectionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.models.all,
    queryFn: ({ signal }) => call(api.listModelConnections({ signal })),
  })

/** Connects a model. The first connection of an organization becomes its default. The key is never returned. */
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

/** Sets both token limits of the organization; null means no limit. A running build that exceeds one stops before its next model call. */
export const setTokenLimits = (limits: Pick<TokenUse, 'monthly' | 'perTicket'>) =>
  call(api.setTokenLimits({ body: limits }))

/**
 * Changes a connection; an omitted field stays. A new address needs the key again, so that the stored key is not sent to another server.
 */
export const updateModelConnection = (id: string, input: Partial<Omit<ModelConnectionInput, 'provider'>>) =>
  call(api.updateModelConnection({ path: { id }, body: input }))

/** Disconnects a model and deletes its key. Projects that used it use the default model instead. */
export const deleteModelConnection = (id: string) => call(api.deleteModelConnection({ path: { id } }))

/** Sends one small request to the model and returns whether it responded and how fast. */
export const testModelConnection = (id: string) => call(api.testModelConnection({ path: { id } }))
