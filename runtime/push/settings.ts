export interface PushSettings {
  /** PKCS #8, base64; null: nothing is sent. */
  privateKey: string | null
  /** A mailto: or https address; null: that of the app. */
  subject: string | null
  /** A path of the app. */
  icon: string | null
}

/** Reads the settings from the live worker's variables and secrets; the defaults in a worker that was deployed by hand. */
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
