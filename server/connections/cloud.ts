import { type Change, type Cloud, type Credential, openAccount } from '../cloudflare/client.ts'
import { recordActivity } from '../activity/log.ts'
import type { Caller } from '../http/caller.ts'
import { conflict } from '../http/errors.ts'
import type { Core, Needs } from '../platform.ts'
import type { CloudflareProfile } from '../config.ts'
import { readConnection } from './connections.ts'
import { accountOfUnmovedProject } from './project-account.ts'
import { cloudflareProfile } from './profiles.ts'
import { openStandIn } from './stand-in.ts'
import { storedCredential } from './stored-credential.ts'

export interface CloudUse {
  orgId: string
  /** The name that the activity log shows for who made the change. */
  actor: string
  /**
   * Opens the account in which this project is deployed. After another account was connected, that is the former one
   * until a production deployment moves the project.
   */
  project?: { id: string; name: string } | undefined
  accountId?: string | undefined
  signal?: AbortSignal | undefined
}

/** Returns the name of a caller for the activity log: a person's email address, or the id of an API key. */
export const actorOf = (caller: Caller): string => caller.email ?? caller.userName ?? caller.actorId

const NOT_CONNECTED = 'No cloud account is connected. Connect a Cloudflare account under Connections.'
const RECONNECT_MESSAGE = 'The connected Cloudflare account must be connected again under Connections.'
const NOT_CHOSEN = 'Choose under Connections which of the Cloudflare accounts is to be used.'
const NO_SUBDOMAIN =
  'The connected Cloudflare account has no workers.dev subdomain. Choose one in its dashboard, then choose the account again under Connections.'

/**
 * Returns the connection with the addresses of its provider (`profile`). Throws `conflict` when there is no
 * connection or a person has to connect the account again.
 */
export async function requireConnection(platform: Needs<'config'>, orgId: string) {
  const row = await readConnection(platform.db, orgId, 'cloudflare')
  if (row === null) throw conflict(NOT_CONNECTED)
  const profile = cloudflareProfile(platform.config, row.profile)
  // The profile is null when the connection is to the local emulator, which is now disabled. Its token must not be
  // sent to Cloudflare.
  if (row.status === 'needs_reconnect' || profile === null) throw conflict(RECONNECT_MESSAGE)
  return { row, profile }
}

export interface UsableCloud {
  /** Identifies the credential: all calls with it share a rate limit. */
  id: string
  account_id: string
  subdomain: string
  endpoints: CloudflareProfile
  credential: () => Credential
}

/**
 * Returns the connected account, the account that a project is in, or the account named by `accountId`. Throws `conflict` when it cannot be
 * used. Makes no call to the provider.
 */
export async function requireCloud(
  platform: Needs<'config' | 'keyring'>,
  orgId: string,
  of: { project?: { id: string } | undefined; accountId?: string | undefined } = {},
): Promise<UsableCloud> {
  const accountId =
    of.accountId ??
    (of.project === undefined ? null : await accountOfUnmovedProject(platform.db, orgId, of.project.id))
  if (accountId !== null) {
    const connected = await readConnection(platform.db, orgId, 'cloudflare')
    if (connected === null) throw conflict(NOT_CONNECTED)
    if (connected.account_id !== accountId) return await openStandIn(platform, orgId, accountId)
  }
  const { row, profile } = await requireConnection(platform, orgId)
  if (row.account_id === null) throw conflict(NOT_CHOSEN)
  if (row.subdomain === null) throw conflict(NO_SUBDOMAIN)
  return {
    id: row.id,
    account_id: row.account_id,
    subdomain: row.subdomain,
    endpoints: profile,
    credential: () => storedCredential(platform, row),
  }
}

/** Opens the account. Every change made through it is recorded in the activity log. Throws `conflict` when it cannot be used. */
export async function openCloud(platform: Needs<'config' | 'keyring'>, use: CloudUse): Promise<Cloud> {
  const connection = await requireCloud(platform, use.orgId, use)
  return openAccount({
    api: connection.endpoints.api,
    perMinute: connection.endpoints.perMinute,
    appUrl: connection.endpoints.appUrl,
    accountId: connection.account_id,
    subdomain: connection.subdomain,
    credential: connection.credential(),
    signal: use.signal,
    record: (change) => recordCloudChange(platform, use, change),
  })
}

/**
 * Opens the connected account for reading only. Works even before an account was chosen, so that the console can show
 * what is still missing.
 */
export async function openCloudToRead(platform: Needs<'config' | 'keyring'>, orgId: string): Promise<Cloud> {
  const { row, profile } = await requireConnection(platform, orgId)
  return openAccount({
    api: profile.api,
    perMinute: profile.perMinute,
    appUrl: profile.appUrl,
    accountId: row.account_id ?? '',
    subdomain: row.subdomain ?? '',
    credential: storedCredential(platform, row),
    record: async () => {},
  })
}

/**
 * Returns the credential for calls that do not use the client of Cloudflare's REST API, such as those to
 * models of Workers AI. They are not recorded in the activity log.
 */
export async function openCredential(
  platform: Needs<'config' | 'keyring'>,
  orgId: string,
): Promise<{ api: string; accountId: string; credential: Credential }> {
  const connection = await requireCloud(platform, orgId)
  return {
    api: connection.endpoints.api,
    accountId: connection.account_id,
    credential: connection.credential(),
  }
}

async function recordCloudChange(
  platform: Core,
  use: CloudUse,
  change: Change & { status: 'ok' | 'failed'; detail: string | null },
): Promise<void> {
  await recordActivity(platform.db, {
    orgId: use.orgId,
    at: platform.clock.now(),
    provider: 'cloudflare',
    actor: use.actor,
    action: change.action,
    target: change.target,
    status: change.status,
    ...(use.project === undefined ? {} : { projectId: use.project.id, projectName: use.project.name }),
    ...(change.detail === null ? {} : { detail: change.detail }),
  })
}
