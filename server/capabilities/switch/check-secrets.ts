import { tokenRequest, type TokenServer } from '@slipway/runtime/auth/sign-in/oauth-exchange.ts'
import * as z from 'zod'
import { parseJson } from '../../lib/json.ts'
import type { Config } from '../../config.ts'
import { ModelListError, readModelList } from '../../connections/models/list.ts'
import { type ModelService, serviceFacts } from '../../connections/models/services.ts'
import { invalid } from '../../http/errors.ts'
import { outboundFetch } from '../../lib/outbound.ts'
import type { Capability, SecretTrial } from '../../capability-declaration/capability.ts'

const SECRET_CHECK_MS_MAX = 8_000
const ANSWER_BYTES_MAX = 1024 * 1024

/** A secret that was saved unchecked, because its provider could not be reached. */
export interface UncheckedSecret {
  secret: string
  reason: string
}

/** Resolves to whether the provider accepts a secret. Rejects when the provider cannot be reached. */
type AcceptanceCheck = (fetch: typeof globalThis.fetch) => Promise<boolean>

interface SavedSettings {
  /** The settings after the change. */
  settings: Record<string, unknown>
  given: Record<string, string | null> | undefined
}

/**
 * Lets the providers check the secrets in a change before they are saved. Throws `invalid_request` that names `secrets.<name>` for a
 * secret that its provider refuses. Returns the secrets that could not be checked.
 */
export async function checkSecrets(
  { config }: { config: Pick<Config, 'outboundAllow' | 'cloudflare'> },
  declared: Capability,
  { settings, given = {} }: SavedSettings,
  fetch?: typeof globalThis.fetch,
): Promise<UncheckedSecret[]> {
  const specs = declared.secrets(settings)
  const trials = Object.entries(given).flatMap(([name, value]) => {
    // A malformed secret is refused when it is saved, with the same message as any other malformed secret.
    const spec = specs[name]
    if (value === null || spec?.schema.safeParse(value).success !== true) return []
    const found = spec.triedAt === undefined ? null : trialOf(spec.triedAt, value)
    // With the local emulator of Cloudflare, keys may belong to the local emulators of other providers. The real
    // providers would refuse these keys, so they are not checked.
    if (found === null || (found.isKnown && config.cloudflare.name === 'local' && fetch === undefined))
      return []
    return [{ name, ...found }]
  })
  if (trials.length === 0) return []
  const guarded = outboundFetch({
    allow: config.outboundAllow,
    totalTimeoutMs: SECRET_CHECK_MS_MAX,
    maxBytes: ANSWER_BYTES_MAX,
  })
  try {
    const told = await Promise.all(
      trials.map(async ({ name, provider, isAccepted }) => {
        const verdict = await isAccepted(fetch ?? guarded).catch(() => null)
        if (verdict === false)
          throw invalid(`secrets.${name}`, `is refused by ${provider}, so nothing was saved`)
        const reason = `${provider} could not be asked whether it is right. It was saved; try it in the app.`
        return verdict === null ? [{ secret: name, reason }] : []
      }),
    )
    return told.flat()
  } finally {
    await guarded.close()
  }
}

interface FoundSecret {
  provider: string
  /** True when the address of the provider is built into this service, false when the operator entered it. */
  isKnown: boolean
  isAccepted: AcceptanceCheck
}

function trialOf(at: SecretTrial, value: string): FoundSecret | null {
  if ('model' in at) return modelKeyTrial(at.model, value)
  const server = { ...at.tokenServer, clientSecret: value }
  return { provider: server.id, isKnown: at.isKnown, isAccepted: (fetch) => isClientAccepted(server, fetch) }
}

/** The errors by which servers refuse an unknown client: RFC 6749 (section 5.2; Dropbox appends a sentence), GitHub, Slack. */
const REFUSED_SECRET =
  /^(invalid_client(:|$)|incorrect_client_credentials$|invalid_client_id$|bad_client_secret$)/
const ErrorResponse = z.looseObject({ error: z.string() })

/**
 * Sends an authorization code that was never issued: a server that accepts the client secret refuses only the code.
 * Returns false only for an error that names the client, because other errors do not prove that the secret is wrong.
 */
async function isClientAccepted(server: TokenServer, fetch: typeof globalThis.fetch): Promise<boolean> {
  const { headers, ...init } = tokenRequest(server, {
    grant_type: 'authorization_code',
    code: 'a-code-to-try-the-secret',
    redirect_uri: 'https://example.com/',
  })
  const response = await fetch(server.tokenUrl, {
    ...init,
    headers: { accept: 'application/json', ...headers },
  })
  const { data } = ErrorResponse.safeParse(parseJson(await response.text()))
  if (data === undefined && !response.ok) throw new Error(`answered ${response.status}`)
  return data === undefined || !REFUSED_SECRET.test(data.error)
}

/**
 * The model service by the first part of a model's name, such as `openai` in `openai/gpt-5`. The AI gateway defines
 * these names.
 */
const SERVICE_OF: Record<string, ModelService> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'google-ai-studio': 'google',
  groq: 'groq',
  grok: 'xai',
  deepseek: 'deepseek',
}

function modelKeyTrial(model: string | null, key: string): FoundSecret | null {
  const service = SERVICE_OF[model?.split('/')[0] ?? '']
  if (service === undefined) return null
  const { name, provider, baseUrl } = serviceFacts(service)
  return {
    provider: name,
    isKnown: true,
    isAccepted: async (fetch) => {
      try {
        await readModelList({ provider, baseUrl, key }, fetch, {
          signal: AbortSignal.timeout(SECRET_CHECK_MS_MAX),
        })
        return true
      } catch (error) {
        if (error instanceof ModelListError && error.reason === 'key_refused') return false
        throw error
      }
    },
  }
}
