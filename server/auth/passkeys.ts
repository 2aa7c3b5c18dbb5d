import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

const REFUSED = { code: 'AUTHENTICATION_FAILED', message: 'The device did not verify who uses it.' }

/**
 * Passkeys of this origin. They are kept on the device, since people sign in with them without saying who they
 * are, and the device must have verified its user: a passkey stands for both factors.
 */
export function passkeys(baseUrl: string) {
  const { hostname, origin } = new URL(baseUrl)
  return passkey({
    rpID: hostname,
    rpName: 'Slipway',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    // The library asks for the verification and does not look whether it happened.
    registration: {
      afterVerification: ({ verification }) => {
        if (verification.registrationInfo?.userVerified !== true) throw new APIError('UNAUTHORIZED', REFUSED)
      },
    },
    authentication: {
      afterVerification: ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw new APIError('UNAUTHORIZED', REFUSED)
      },
    },
  })
}
