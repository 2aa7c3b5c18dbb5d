export interface PushSettings {
  /** The private key as PKCS #8 in base64; null disables sending. */
  privateKey: string | null
  /** A mailto: or https address as contact; null stands for the app's address. */
  subject: string | null
  icon: string | null
}

/** Reads the live worker's variables and secrets. Defaults apply in a worker that was deployed with plain wrangler. */
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
