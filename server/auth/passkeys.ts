import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

const AUTHENTICATION_FAILED = {
  code: 'AUTHENTICATION_FAILED',
  message: 'The device did not verify who uses it.',
}

/**
 * Returns the passkey plugin for this origin. Passkeys are discoverable, because people sign in without entering an address. User
 * verification is required, because a passkey counts as both factors.
 */
export function passkeys(baseUrl: string) {
  const { hostname, origin } = new URL(baseUrl)
  return passkey({
    rpID: hostname,
    rpName: 'Slipway',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    // The library requests user verification but does not check that it took place.
    registration: {
      afterVerification: ({ verification }) => {
        if (verification.registrationInfo?.userVerified !== true)
          throw new APIError('UNAUTHORIZED', AUTHENTICATION_FAILED)
      },
    },
    authentication: {
      afterVerification: ({ verification }) => {
        if (!verification.authenticationInfo.userVerified)
          throw new APIError('UNAUTHORIZED', AUTHENTICATION_FAILED)
      },
    },
  })
}
