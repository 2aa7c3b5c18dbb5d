import type { Selectable } from 'kysely'
import type { ModelConnection } from './agent/model/models.ts'
import type { Cloud, Credential } from './cloudflare/client.ts'
import type { CloudflareProfile } from './config.ts'
import type { Signer } from './crypto/signer.ts'
import type { Db, Trx } from './db/database.ts'
import type { ConnectionsTable, ModelConnectionsTable } from './db/tables/connections.ts'
import type { ProjectIdsAndName } from './db/tables/projects.ts'
import type { GithubAccess } from './github/client.ts'
import type { StripeAccess } from './stripe/client.ts'

export type ConnectionRow = Selectable<ConnectionsTable>

export interface CloudUse {
  orgId: string
  /** The name that the activity log shows for who made the change. */
  actor: string
  /**
   * Opens the account in which this project is deployed. After the organization has connected another account, a
   * project stays in the old account until its next production deployment moves it.
   */
  project?: { id: string; name: string } | undefined
  accountId?: string | undefined
  signal?: AbortSignal | undefined
}

export interface UsableCloud {
  /** Identifies the credential: all calls with it share a rate limit. */
  id: string
  account_id: string
  subdomain: string
  endpoints: CloudflareProfile
  credential: () => Credential
}

export interface CloudConnection {
  row: ConnectionRow
  profile: CloudflareProfile
  credential: Credential
  /** Changes made through this client are not recorded in the activity log. */
  cloud: Cloud
}

export interface StripeUse {
  project: ProjectIdsAndName
  /** The name that the activity log shows. */
  actor: string
  signal?: AbortSignal | undefined
}

/**
 * Opens the accounts at providers that organizations have connected. Callers see neither the encryption keys nor the
 * settings with the addresses of the providers. `connections/open-accounts.ts` implements this interface.
 */
export interface Accounts {
  /**
   * Returns the connected cloud account, the account that a project is in, or the account named by `accountId`. Throws
   * `conflict` when the account cannot be used. Makes no call to the provider. `db` is a transaction in which the rows
   * are read.
   */
  requireCloud: (
    orgId: string,
    of?: { project?: { id: string } | undefined; accountId?: string | undefined; db?: Db | Trx },
  ) => Promise<UsableCloud>
  /**
   * Opens the account. The activity log records every change made through the client. Throws `conflict` when the
   * account cannot be used.
   */
  openCloud: (use: CloudUse) => Promise<Cloud>
  /**
   * Opens the connection to the cloud. Works even before an account was chosen, so that the console can show what is still missing.
   * Throws `conflict` when there is no connection or a person has to connect the account again.
   */
  openConnection: (orgId: string) => Promise<CloudConnection>
  /**
   * Revokes the grant of a deleted connection. Returns false when the grant was not revoked. A pasted token is never
   * revoked, because it belongs to the person who created it.
   */
  revoke: (row: ConnectionRow) => Promise<boolean>
  /**
   * Runs `work` with the organization's account at the code host. Throws `conflict` when the account cannot be used. When the code host
   * refuses the token, marks the connection as `needs_reconnect`, so that the next call throws without a request.
   */
  withCodeHost: <T>(orgId: string, work: (access: GithubAccess) => Promise<T>) => Promise<T>
  /**
   * Returns a connection to a model with its decrypted key, and the `fetch` for its requests. The `fetch` refuses private addresses that
   * the operator did not allow (SSRF).
   */
  openModel: (row: ModelConnectionsTable) => { connection: ModelConnection; fetch: typeof globalThis.fetch }
  /** Encrypts the key of a model connection for its row. */
  sealModelKey: (row: { id: string; org_id: string }, key: string) => string
  /** Returns access to Stripe with this key. Throws for a key of Stripe's local emulator while the emulator is disabled. */
  openStripe: (use: StripeUse, key: string) => StripeAccess
  /** Returns access to Stripe for each mode (live, test) whose key is stored. The mode in which the live app sells comes first. */
  openStripeModes: (use: StripeUse) => Promise<StripeAccess[]>
  /** Signs the requests that the service sends to a project's workers. The key pair is derived from the keyring and not stored. */
  workerSigner: (purpose: 'operator-token' | 'upload-token', project: { id: string }) => Signer
}
