import { signerOf, type Signer } from '../../crypto/signer.ts'
import type { Platform } from '../../platform.ts'

/** The pair that speaks for a project's operator: derived, so there is no key to lose, and none in the database. */
export const operatorSigner = (platform: Pick<Platform, 'keyring'>, project: { id: string }): Signer =>
  signerOf(platform.keyring, 'operator-token', project.id)
