export interface PushSettings {
  /** PKCS #8, base64. Null: nothing is sent. */
  privateKey: string | null
  /** A mailto: or https address. Null: the address of the app. */
  subject: string | null
  icon: string | null
}

/** Reads the live worker's variables and secrets. A worker that was deployed by hand gets the defaults. */
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
