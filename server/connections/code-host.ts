import type { GithubAccess } from '../github/client.ts'
import { GithubError } from '../github/errors.ts'
import { conflict } from '../http/errors.ts'
import type { Platform } from '../platform.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { readConnection } from './connections.ts'
import { markNeedsReconnect } from './needs-reconnect.ts'
import { githubProfile } from './profiles.ts'

const NOT_CONNECTED = 'No code host is connected. Connect a GitHub account under Connections.'
const RECONNECT = 'The connected GitHub account must be connected again under Connections.'

/**
 * Works with the organization's account at the code host; 409 when there is none that can be used. A sign-in that the
 * host has stopped accepting is marked, so that the next call says so without asking it.
 */
export async function withCodeHost<T>(
  platform: Platform,
  orgId: string,
  work: (access: GithubAccess) => Promise<T>,
): Promise<T> {
  const row = await readConnection(platform.db, orgId, 'github')
  if (row === null || row.account_name === null) throw conflict(NOT_CONNECTED)
  // A token goes to the host that gave it, and to no other.
  const profile = githubProfile(platform.config, row.profile)
  if (row.status === 'needs_reconnect' || profile === null) throw conflict(RECONNECT)
  const token = platform.keyring.open(row.token, tokenPlace(row, 'token'))
  try {
    return await work({ profile, token, login: row.account_name })
  } catch (error) {
    if (error instanceof GithubError && error.status === 401)
      await markNeedsReconnect(platform, row, row.token)
    throw error
  }
}
