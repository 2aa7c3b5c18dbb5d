import type { Context } from 'hono'
import { isAllowedRedirect } from '../../../world/allowed-redirect.ts'
import { BUILT_IN_CLIENT } from '../../../world/ids.ts'
import type { Store } from '../../../world/store.ts'
import { createAccount, findAccountByHint, readAccount, restoreAccount } from '../accounts.ts'
import type { Account } from '../../types.ts'
import { consentPage } from './consent-page.ts'
import { issueCode } from './grants.ts'
import { readScopes } from './scopes.ts'

/** What the OAuth server needs of the local cloud. */
export interface OAuthOptions {
  store: Store
  now(): number
  /** The public address of the service, to which redirects are allowed. Redirects to loopback addresses are always allowed. */
  baseUrl: string | null
}

type FormReader = (name: string) => string[]

/**
 * Handles the authorization request and, with `isDecided`, the person's decision on the consent page. Slipway also connects an organization
 * automatically, without the consent page, by a request with `prompt=none` and the organization as `login_hint`. When this request is
 * repeated, for example after a crash, it gets the same account again.
 */
export async function authorize(
  options: OAuthOptions,
  c: Context,
  fields: FormReader,
  isDecided: boolean,
): Promise<Response> {
  const firstValueOf = (name: string) => fields(name)[0] ?? ''
  const redirectUri = firstValueOf('redirect_uri')
  // Check the client and its redirect URI before any redirect: an error must not be sent to an unknown address.
  if (firstValueOf('client_id') !== BUILT_IN_CLIENT) return c.text('Unknown client.', 400)
  if (!isAllowedRedirect(redirectUri, options.baseUrl))
    return c.text('This redirect_uri is not allowed.', 400)
  const redirectToClient = (told: Record<string, string>) => {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value)
    if (firstValueOf('state') !== '') url.searchParams.set('state', firstValueOf('state'))
    return c.redirect(url.href, 302)
  }
  if (firstValueOf('response_type') !== 'code')
    return redirectToClient({ error: 'unsupported_response_type' })
  if (firstValueOf('code_challenge_method') !== 'S256' || firstValueOf('code_challenge') === '') {
    return redirectToClient({ error: 'invalid_request', error_description: 'PKCE with S256 is required' })
  }
  const asked = readScopes(firstValueOf('scope'))
  // An empty list of scopes is refused here and below, because a token without scopes has every permission.
  if (asked === null || asked.length === 0) return redirectToClient({ error: 'invalid_scope' })
  const isSilent = firstValueOf('prompt') === 'none'
  if (isSilent && firstValueOf('login_hint') === '') {
    return redirectToClient({
      error: 'interaction_required',
      error_description: 'prompt=none takes a login_hint',
    })
  }
  if (!isSilent && !isDecided) return consentPage(options.store, c, firstValueOf, asked)
  if (isDecided && firstValueOf('decision') !== 'allow') return redirectToClient({ error: 'access_denied' })
  const granted = isSilent ? asked : asked.filter((scope) => fields('grant').includes(scope))
  if (granted.length === 0)
    return consentPage(options.store, c, firstValueOf, asked, 'Choose at least one permission.')
  const accounts = isSilent ? [silentAccount(options, firstValueOf)] : chosenAccounts(options, fields)
  const [account, ...others] = accounts
  if (account === undefined)
    return consentPage(options.store, c, firstValueOf, asked, 'Choose at least one account.')
  const authorization = {
    accountId: account.id,
    otherAccounts: others.map(({ id }) => id),
    clientId: BUILT_IN_CLIENT,
    redirectUri,
    scopes: granted,
    challenge: firstValueOf('code_challenge'),
  }
  return redirectToClient({ code: issueCode(options.store, authorization, options.now()) })
}

/** Returns the account whose id is in the request, else the account of the organization (`login_hint`), else a new one. */
function silentAccount({ store, now }: OAuthOptions, field: (name: string) => string): Account {
  const hint = field('login_hint')
  const account = { name: field('account_name') || hint, plan: 'paid' as const, loginHint: hint, at: now() }
  const id = field('account_id')
  if (/^[0-9a-f]{32}$/.test(id)) return restoreAccount(store, id, field('account_subdomain'), account)
  return findAccountByHint(store, hint) ?? createAccount(store, account)
}

function chosenAccounts({ store, now }: OAuthOptions, fields: FormReader): Account[] {
  const name = (fields('new_name')[0] ?? '').trim().slice(0, 100)
  return [...new Set(fields('account'))].flatMap((id) => {
    if (id !== 'new') return readAccount(store, id) ?? []
    const hint = fields('login_hint')[0] ?? ''
    // Only the organization's first account stores the hint, so a later request with the hint finds exactly
    // this account.
    const isFirst = hint !== '' && findAccountByHint(store, hint) === null
    const account = { name: name === '' ? 'Local account' : name, plan: 'paid' as const, at: now() }
    return createAccount(store, { ...account, ...(isFirst && { loginHint: hint }) })
  })
}
