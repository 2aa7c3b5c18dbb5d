import type { Accounts } from '../account-port.ts'
import { openModes, openStripe } from '../capability-state/pay-access.ts'
import { signerOf } from '../crypto/signer.ts'
import type { PlatformPorts } from '../platform.ts'
import { openCloud, openConnection, requireCloud } from './cloud.ts'
import { withCodeHost } from './code-host.ts'
import { revoke } from './disconnect.ts'
import { connectionFetch, keyPlace, openModelConnection } from './models/access.ts'

/** Returns the port `accounts`. It keeps the settings and the encryption keys, so that callers need neither. */
export const openAccounts = (platform: PlatformPorts<'config' | 'keyring'>): Accounts => ({
  requireCloud: (orgId, { db = platform.db, ...of } = {}) => requireCloud(platform, db, orgId, of),
  openCloud: (use) => openCloud(platform, use),
  openConnection: (orgId) => openConnection(platform, orgId),
  revoke: (row) => revoke(platform, row),
  withCodeHost: (orgId, work) => withCodeHost(platform, orgId, work),
  openModel: (row) => ({
    connection: openModelConnection(platform, row),
    fetch: connectionFetch(platform, row),
  }),
  sealModelKey: (row, key) => platform.keyring.seal(key, keyPlace(row)),
  openStripe: (use, key) => openStripe(platform, use, key),
  openStripeModes: (use) => openModes(platform, use),
  workerSigner: (purpose, { id }) => signerOf(platform.keyring, purpose, id),
})
