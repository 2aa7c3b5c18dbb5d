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
  const values = env as Record<string, unknown>
  const textOf = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    privateKey: textOf('VAPID_PRIVATE_KEY'),
    subject: textOf('PUSH_SUBJECT'),
    icon: textOf('PUSH_ICON'),
  }
}
