import { isSignedOut, hasLoadedUser } from './query-client.ts'

let askService = () => Promise.resolve(false)
let pendingAsk: Promise<boolean> | null = null
let isSignInPostponed = false

/** Sets the function that asks the user to sign in again. It resolves with whether the user did. */
export function onSessionEnd(asking: () => Promise<boolean>): void {
  askService = asking
}

/**
 * Sends a request. When the session has ended, asks the user to sign in and sends the request again, so no input is lost. All requests
 * share one dialog. After the user declined, only a write opens the dialog again.
 */
export async function whileSignedIn<T>(isRead: boolean, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!isSignedOut(error) || !hasLoadedUser() || (isRead && isSignInPostponed)) throw error
    pendingAsk ??= askService().finally(() => (pendingAsk = null))
    isSignInPostponed = !(await pendingAsk)
    if (isSignInPostponed) throw error
    return send()
  }
}
