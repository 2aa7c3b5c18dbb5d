import { accountText } from '../../text/account.en.ts'
import { parseUserAgent } from './user-agent.ts'

/** Returns a readable name for a `User-Agent`, for example “Chrome on Linux”. */
export function deviceName(userAgent: string | null): string {
  const { program, system } = parseUserAgent(userAgent)
  const words = accountText.sessions
  if (program === null) return system ?? words.unknown
  return system === null ? program : words.on(program, system)
}
