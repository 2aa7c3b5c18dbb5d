import { newId } from '../lib/ids.ts'
import type { TestApp } from './app.ts'
import { tokenPlace } from '../connections/cloudflare-connection.ts'

/** Stores a cloud account in the database only. It does not exist at any provider. */
export async function storeCloudAccount(app: TestApp, organizationId: string): Promise<void> {
  const row = { id: newId('con'), org_id: organizationId }
  await app.platform.db
    .insertInto('connections')
    .values({
      ...row,
      provider: 'cloudflare',
      profile: 'local',
      account_id: 'acc',
      account_name: 'Acme',
      subdomain: 'acme',
      token: app.platform.keyring.seal('t', tokenPlace(row, 'token')),
      refresh_token: null,
      scopes: [],
      status: 'connected',
      expires_at: null,
      created_at: app.clock.now(),
    })
    .execute()
}
