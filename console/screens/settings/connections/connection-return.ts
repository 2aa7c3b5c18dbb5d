import type { ConnectedProvider } from '../../../api/organization/connections.ts'
import { connectionsText } from '../../../text/connections.en.ts'
import type { ConnectionReturn } from './connection-search.ts'
import { entryOf } from '../../../lib/fields.ts'

export interface ReturnNote {
  tone: 'good' | 'bad'
  title: string
  sentence: string | null
}

/**
 * Returns the note to show after a sign-in at the provider, or null when the URL contains no result of a sign-in. The URL may be forged. So
 * it only selects one of the console's own sentences, and a success is shown only for a connected provider.
 */
export function describeReturn(
  returned: ConnectionReturn,
  isConnected: (provider: ConnectedProvider) => boolean,
): ReturnNote | null {
  const { returned: words } = connectionsText
  if (returned.error)
    return {
      tone: 'bad',
      title: words.failed(providerName(returned.provider)),
      sentence: errorSentence(returned.error),
    }
  if (!isProvider(returned.connected) || !isConnected(returned.connected)) return null
  return {
    tone: 'good',
    title: words.connected(providerName(returned.connected)),
    sentence: returned.choose === 'account' ? words.choose : null,
  }
}

const isProvider = (value: string | undefined): value is ConnectedProvider =>
  value === 'cloudflare' || value === 'github'

const providerName = (provider: string | undefined): string =>
  connectionsText.providers[isProvider(provider) ? provider : 'cloudflare'].name

const errorSentence = (error: string): string => {
  const { errors } = connectionsText.returned
  return entryOf(errors, error) ?? errors.failed
}
