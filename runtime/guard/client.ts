import { ApiError } from '../kernel/errors.ts'
import { fieldsOf } from '../kernel/fields.ts'
import { isTestKey, testToken } from './action.ts'

const SCRIPT_URL = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

export interface BrowserGuard {
  /**
   * Returns a token that proves that a person uses the page. The token is valid for one request, in the header `x-guard-token`. Requests
   * with `api` and requests of the other capabilities add a required token themselves.
   */
  token(action: string): Promise<string>
}

let siteKey: Promise<string> | null = null

export const guard: BrowserGuard = {
  async token(action) {
    siteKey ??= readSiteKey()
    return await newToken(await siteKey, action)
  },
}

async function readSiteKey(): Promise<string> {
  try {
    const { data } = fieldsOf(await (await fetch('/_app/guard')).json())
    const { siteKey: key } = fieldsOf(data)
    if (typeof key === 'string' && key !== '') return key
  } catch {
    // A failed request counts as a response without a key, and is handled below.
  }
  // Not cached, so that the next attempt fetches the key again.
  siteKey = null
  throw notConfirmed()
}

/**
 * How long the script and the widget may each take, unless the widget asks the person to do something. A widget that an extension or a
 * network has broken calls nothing back.
 */
const RESPONSE_MS_MAX = 20_000

interface TurnstileApi {
  render(box: HTMLElement, options: object): string
  remove(id: string): void
}

let loadingScript: Promise<TurnstileApi> | null = null

/** Gets a token from the Turnstile widget. The widget's mode decides whether people see it. */
async function newToken(key: string, action: string): Promise<string> {
  if (isTestKey(key)) return testToken(action, location.hostname)
  loadingScript ??= loadScript()
  const turnstile = await loadingScript.catch((error: unknown) => {
    // Not cached, so that the next attempt loads the script again.
    loadingScript = null
    throw error
  })
  const box = document.createElement('div')
  // Turnstile shows nothing in this box unless the person has to do something.
  box.style.cssText = 'position:fixed;inset:auto 0 1rem;margin:auto;width:fit-content;z-index:2147483647'
  document.body.append(box)
  let id = ''
  try {
    return await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(noResponse()), RESPONSE_MS_MAX)
      const rejectToken = () => {
        clearTimeout(timer)
        reject(notConfirmed())
        return true
      }
      id = turnstile.render(box, {
        sitekey: key,
        action,
        appearance: 'interaction-only',
        callback: (token: string) => {
          clearTimeout(timer)
          resolve(token)
        },
        // From here on a person may take their time. Turnstile itself ends a check that is not completed.
        'before-interactive-callback': () => clearTimeout(timer),
        'error-callback': rejectToken,
        'timeout-callback': rejectToken,
        'unsupported-callback': rejectToken,
      })
    })
  } finally {
    turnstile.remove(id)
    box.remove()
  }
}

function loadScript(): Promise<TurnstileApi> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT_URL
    const timer = setTimeout(() => {
      script.remove()
      reject(noResponse())
    }, RESPONSE_MS_MAX)
    script.addEventListener('load', () => {
      clearTimeout(timer)
      const { turnstile } = window as Window & { turnstile?: TurnstileApi }
      if (turnstile === undefined) reject(notConfirmed())
      else resolve(turnstile)
    })
    script.addEventListener('error', () => {
      clearTimeout(timer)
      script.remove()
      reject(notConfirmed())
    })
    document.head.append(script)
  })
}

const notConfirmed = () =>
  new ApiError('forbidden', 'It could not be confirmed that you are a person. Reload the page and try again.')

const noResponse = () =>
  new ApiError('unavailable', 'The check whether you are a person does not respond. Try again.')
