import { textVariable } from '../kernel/variable.ts'

export interface PushSettings {
  /** The private key as PKCS #8 in base64; null disables sending. */
  privateKey: string | null
  /** The contact of the sender, a mailto: or https address; null for the https address of the app. */
  subject: string | null
  icon: string | null
}

/**
 * Reads the variables and secrets that Slipway sets when it deploys the app. Without them, as after a
 * deployment with plain wrangler, the defaults apply.
 */
export function pushSettingsOf(env: unknown): PushSettings {
  const textOf = (name: string) => textVariable(env, name)
  return {
    privateKey: textOf('VAPID_PRIVATE_KEY'),
    subject: textOf('PUSH_SUBJECT'),
    icon: textOf('PUSH_ICON'),
  }
}
