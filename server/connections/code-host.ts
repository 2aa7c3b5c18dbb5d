import type { GithubAccess } from '../github/client.ts'
import { GithubError } from '../github/errors.ts'
import { conflict } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { readConnection } from './connections.ts'
import { markNeedsReconnect } from './needs-reconnect.ts'
import { githubProfile } from './profiles.ts'

const NOT_CONNECTED = 'No code host is connected. Connect a GitHub account under Connections.'
const RECONNECT_MESSAGE = 'The connected GitHub account must be connected again under Connections.'

/** Implements `Accounts.withCodeHost`. */
export async function withCodeHost<T>(
  platform: PlatformPorts<'config' | 'keyring'>,
  orgId: string,
  work: (access: GithubAccess) => Promise<T>,
): Promise<T> {
  const row = await readConnection(platform.db, orgId, 'github')
  if (row === null || row.account_name === null) throw conflict(NOT_CONNECTED)
  // A token is sent only to the host that issued it.
  const profile = githubProfile(platform.config, row.profile)
  if (row.status === 'needs_reconnect' || profile === null) throw conflict(RECONNECT_MESSAGE)
  const token = platform.keyring.open(row.token, tokenPlace(row, 'token'))
  try {
    return await work({ profile, token, login: row.account_name })
  } catch (error) {
    if (error instanceof GithubError && error.status === 401)
      await markNeedsReconnect(platform, row, row.token)
    throw error
  }
}
