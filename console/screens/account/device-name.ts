import { accountText } from '../../text/account.en.ts'
import { readDevice } from './device-words.ts'

/** A readable name for a `User-Agent`: “Chrome on Linux”. */
export function deviceWords(userAgent: string | null): string {
  const { program, system } = readDevice(userAgent)
  const words = accountText.sessions
  if (program === null) return system ?? words.unknown
  return system === null ? program : words.on(program, system)
}
