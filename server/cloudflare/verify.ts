import * as z from 'zod'
import { cloudFetch } from './fetch.ts'
import { parseJson } from '../lib/json.ts'

const TIMEOUT_MS = 10_000

interface VerifyOptions {
  api: string
  /** Empty when the account is not known yet. */
  accountId: string
  credential: { method: 'oauth' | 'token' }
  signal?: AbortSignal | undefined
}

const Accounts = z.looseObject({ result: z.array(z.looseObject({ id: z.string() })) })
const Verified = z.looseObject({ result: z.looseObject({ status: z.string() }) })

/**
 * Returns whether the provider still accepts a credential for the account. Returns false only for a clear
 * refusal, because after that a person has to connect the account again. Returns true during an outage and for a
 * token without permission to list accounts.
 */
export async function isAccepted(asked: VerifyOptions, token: string): Promise<boolean> {
  if (asked.credential.method === 'token') return (await tokenState(asked, token)) !== 'dead'
  const response = await fetchWithToken(asked, '/accounts?page=1&per_page=50', token)
  if (response === null) return true
  if (response.status === 401) return false
  const accounts = Accounts.safeParse(response.body).data?.result
  // A full page means that there may be more accounts. The credential then counts as accepted without reading further pages.
  if (response.status !== 200 || accounts === undefined || accounts.length === 50) return true
  return accounts.some(({ id }) => id === asked.accountId)
}

/** Returns `dead` only for a clear refusal, and `unknown` when the provider cannot be reached. */
export async function tokenState(
  asked: VerifyOptions,
  token: string,
): Promise<'active' | 'dead' | 'unknown'> {
  const places = ['/user/tokens/verify']
  // Tokens that belong to an account are verified at another path than tokens of a person.
  if (asked.accountId !== '') places.push(`/accounts/${encodeURIComponent(asked.accountId)}/tokens/verify`)
  let state: 'dead' | 'unknown' = 'dead'
  for (const place of places) {
    const response = await fetchWithToken(asked, place, token)
    const verified = response?.status === 200 ? Verified.safeParse(response.body).data : undefined
    if (verified !== undefined) return verified.result.status === 'active' ? 'active' : 'dead'
    if (!isRefusal(response)) state = 'unknown'
  }
  return state
}

/** Returns whether Cloudflare refused the token. A redirect or a page without JSON comes from a proxy in front of Cloudflare. */
const isRefusal = (response: { status: number; body: unknown } | null): boolean =>
  response !== null &&
  response.body !== null &&
  response.status >= 400 &&
  response.status < 500 &&
  ![408, 429].includes(response.status)

async function fetchWithToken(
  { api, signal }: VerifyOptions,
  path: string,
  token: string,
): Promise<{ status: number; body: unknown } | null> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await cloudFetch(`${api}${path}`, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    })
    return { status: response.status, body: parseJson(await response.text()) }
  } catch {
    // Without a response it is unknown whether the token is valid.
    return null
  }
}
