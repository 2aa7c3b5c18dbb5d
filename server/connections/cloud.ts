import { type Cloud, openAccount } from '../cloudflare/client.ts'
import { recordActivity } from '../activity/log.ts'
import type { Caller } from '../http/caller.ts'
import { conflict } from '../http/errors.ts'
import type { CloudConnection, CloudUse, UsableCloud } from '../account-port.ts'
import type { Db, Trx } from '../db/database.ts'
import type { PlatformPorts } from '../platform.ts'
import { readMove } from '../moves/moves.ts'
import { readConnection } from './connections.ts'
import { cloudflareProfile } from './profiles.ts'
import { openStandIn } from './stand-in.ts'
import { storedCredential } from './stored-credential.ts'

/**
 * Returns the name of a caller for the activity log: the email address of the person, or of the creator of the API key; the key's id when
 * its creator was deleted.
 */
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
async function requireConnection({ config }: PlatformPorts<'config'>, db: Db | Trx, orgId: string) {
  const row = await readConnection(db, orgId, 'cloudflare')
  if (row === null) throw conflict(NOT_CONNECTED)
  const profile = cloudflareProfile(config, row.profile)
  // The profile is null when the connection is to the local emulator, which is now disabled. Its token must not be
  // sent to Cloudflare.
  if (row.status === 'needs_reconnect' || profile === null) throw conflict(RECONNECT_MESSAGE)
  return { row, profile }
}

/** Implements `Accounts.requireCloud`. */
export async function requireCloud(
  platform: PlatformPorts<'config' | 'keyring'>,
  db: Db | Trx,
  orgId: string,
  of: { project?: { id: string } | undefined; accountId?: string | undefined } = {},
): Promise<UsableCloud> {
  const accountId =
    of.accountId ??
    (of.project === undefined ? null : await accountOfUnmovedProject(db, orgId, of.project.id))
  if (accountId !== null) {
    const connected = await readConnection(db, orgId, 'cloudflare')
    if (connected === null) throw conflict(NOT_CONNECTED)
    if (connected.account_id !== accountId) return await openStandIn(platform, db, orgId, accountId)
  }
  const { row, profile } = await requireConnection(platform, db, orgId)
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

/** Implements `Accounts.openCloud`. */
export async function openCloud(
  platform: PlatformPorts<'config' | 'keyring'>,
  use: CloudUse,
): Promise<Cloud> {
  const connection = await requireCloud(platform, platform.db, use.orgId, use)
  return openAccount({
    api: connection.endpoints.api,
    perMinute: connection.endpoints.perMinute,
    appUrl: connection.endpoints.appUrl,
    accountId: connection.account_id,
    subdomain: connection.subdomain,
    credential: connection.credential(),
    signal: use.signal,
    record: (change) =>
      recordActivity(platform.db, {
        orgId: use.orgId,
        at: platform.clock.now(),
        provider: 'cloudflare',
        actor: use.actor,
        ...change,
        projectId: use.project?.id ?? null,
        projectName: use.project?.name ?? null,
      }),
  })
}

/** Implements `Accounts.openConnection`. */
export async function openConnection(
  platform: PlatformPorts<'config' | 'keyring'>,
  orgId: string,
): Promise<CloudConnection> {
  const { row, profile } = await requireConnection(platform, platform.db, orgId)
  const credential = storedCredential(platform, row)
  const cloud = openAccount({
    api: profile.api,
    perMinute: profile.perMinute,
    appUrl: profile.appUrl,
    accountId: row.account_id ?? '',
    subdomain: row.subdomain ?? '',
    credential,
    record: async () => {},
  })
  return { row, profile, credential, cloud }
}

/**
 * Returns the former account when the project is still in that account although another account is connected now; null
 * when the project is in the connected account. Also returns null while a production deployment moves the project,
 * because that deployment uses the connected account. If the deployment fails, the former account is returned again.
 */
async function accountOfUnmovedProject(
  db: Db | Trx,
  orgId: string,
  projectId: string,
): Promise<string | null> {
  const move = await readMove(db, { id: projectId, org_id: orgId })
  return move?.state === 'waiting' ? move.from_account : null
}

/** Returns the account that a project is in, usable or not; null while no account is connected. */
export async function accountIdOf(db: Db | Trx, orgId: string, projectId: string): Promise<string | null> {
  const home = await accountOfUnmovedProject(db, orgId, projectId)
  return home ?? (await readConnection(db, orgId, 'cloudflare'))?.account_id ?? null
}
