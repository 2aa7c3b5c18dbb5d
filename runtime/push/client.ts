import { ApiError } from '../kernel/errors.ts'
import { callRoute } from '../web/api.ts'

/** With `denied`, only the person can allow notifications again, in the browser's settings. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

export interface BrowserPush {
  /** Asks the person for permission and subscribes. Call it in a click handler, because browsers ask only then. */
  subscribe(): Promise<{ id: string }>
  /** Stops the notifications in this browser. Call it before signing out. */
  unsubscribe(): Promise<void>
  /** `on` means that this browser shows notifications of the person who is signed in. */
  state(): Promise<PushState>
}

interface PushKey {
  key: string
  isOn: boolean
}

const WORKER_SCOPE = '/_app/push/'

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const readKey = (device?: string) =>
  callRoute<PushKey>('GET', `${WORKER_SCOPE}key${device === undefined ? '' : `?device=${device}`}`)

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Must return the same id as the live worker computes for the endpoint. */
async function subscriptionId({ endpoint }: PushSubscription): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Resolves once the service worker is active. Subscribing fails before that. */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(`${WORKER_SCOPE}sw.js`)
  const worker = registration.installing ?? registration.waiting
  if (registration.active === null && worker !== null)
    await new Promise<void>((resolve) => {
      worker.addEventListener('statechange', () => {
        if (worker.state === 'activated' || worker.state === 'redundant') resolve()
      })
    })
  return registration
}

/**
 * Subscribes with `key`. Replaces a subscription with an outdated key, because an outdated one receives nothing and prevents a new one:
 * `subscribe` then throws an `InvalidStateError` (W3C Push API, 8.1). After any other error the old subscription stays.
 */
async function subscribeWith({ pushManager }: ServiceWorkerRegistration, key: string) {
  const options = { userVisibleOnly: true, applicationServerKey: key }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error
    await (await pushManager.getSubscription())?.unsubscribe()
    return await pushManager.subscribe(options)
  }
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'unauthorized'

export const push: BrowserPush = {
  async subscribe() {
    if (!isSupported()) throw new ApiError('unavailable', 'This browser does not support notifications.')
    // Ask for permission before the first request: some browsers show the question only directly after the click.
    if ((await Notification.requestPermission()) !== 'granted')
      throw new ApiError('forbidden', 'Notifications are not allowed in this browser.')
    const { key } = await readKey()
    const device = await subscribeWith(await activeRegistration(), key)
    return await callRoute<{ id: string }>('POST', `${WORKER_SCOPE}devices`, device.toJSON())
  },

  async unsubscribe() {
    const device = isSupported() ? await currentSubscription() : null
    if (device === null) return
    const id = await subscriptionId(device)
    try {
      await callRoute('DELETE', `${WORKER_SCOPE}devices`, { id })
    } catch (error) {
      // Without a session the app cannot remove the device now. The next notification removes it, because the push service refuses that
      // notification.
      if (!isSignedOut(error)) throw error
    }
    await device.unsubscribe()
  },

  async state() {
    if (!isSupported()) return 'unsupported'
    if (Notification.permission === 'denied') return 'denied'
    const device = Notification.permission === 'granted' ? await currentSubscription() : null
    if (device === null) return 'off'
    try {
      return (await readKey(await subscriptionId(device))).isOn ? 'on' : 'off'
    } catch (error) {
      if (isSignedOut(error)) return 'off'
      throw error
    }
  },
}
